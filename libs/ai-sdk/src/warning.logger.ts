import { Logger } from '@nestjs/common';
import { toSafeText } from 'nestjs-agent-tools';
import { isRecord } from './is-record.js';

const MAX_TEXT = 500;
const MAX_KNOWN = 100;

/** Tells the log, once per model, what a provider did not do as it was asked. */
export class WarningLogger {
  private readonly logger = new Logger('AgentTools');
  private readonly known = new Set<string>();

  constructor(private readonly label: string) {}

  report(warnings: unknown): void {
    if (!Array.isArray(warnings)) return;
    for (const warning of warnings as unknown[]) {
      const text = toSafeText(describe(warning), MAX_TEXT);
      if (this.known.has(text) || this.known.size >= MAX_KNOWN) continue;
      this.known.add(text);
      this.logger.warn(`${this.label} warns: ${text}`);
    }
  }
}

function describe(warning: unknown): string {
  if (!isRecord(warning)) return String(warning);
  const { type, details, message } = warning;
  const subject = toName(warning.setting) ?? toName(warning.feature) ?? toName(warning.tool);
  const words = [
    type === 'other' ? undefined : toName(type),
    subject && `"${subject}"`,
    toName(message) ?? toName(details),
  ].filter(Boolean);
  return words.length > 0 ? words.join(' ') : JSON.stringify(warning);
}

/** A tool that is not supported is given as a whole. */
function toName(value: unknown): string | undefined {
  const name = isRecord(value) ? value.name : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
