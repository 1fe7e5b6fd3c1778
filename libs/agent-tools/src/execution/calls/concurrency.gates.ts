import { Inject, Injectable } from '@nestjs/common';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../../agent-tools.constants.js';
import type { BoundTool } from '../bound-tool.js';
import { ConcurrencyGate } from './concurrency.gate.js';
import type { PolicyOptions } from '../interfaces/policy-options.interface.js';

const NONE: readonly ConcurrencyGate[] = [];

/** The gates that the calls of a tool must pass: its own first, then the one of all tools. */
@Injectable()
export class ConcurrencyGates {
  private readonly ofAll?: ConcurrencyGate;
  private readonly byTool = new WeakMap<BoundTool, readonly ConcurrencyGate[]>();

  constructor(@Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: PolicyOptions) {
    if (options.toolConcurrency !== undefined) {
      this.ofAll = new ConcurrencyGate(options.toolConcurrency);
    }
  }

  of(tool: BoundTool): readonly ConcurrencyGate[] {
    let gates = this.byTool.get(tool);
    if (!gates) {
      const concurrency = tool.definition.concurrency ?? this.options.toolDefaults?.concurrency;
      const own = concurrency === undefined ? [] : [new ConcurrencyGate(concurrency)];
      gates = this.ofAll ? [...own, this.ofAll] : own.length > 0 ? own : NONE;
      this.byTool.set(tool, gates);
    }
    return gates;
  }
}
