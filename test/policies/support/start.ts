import { afterEach } from '@jest/globals';
import type { ModuleMetadata } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  AgentToolsModule,
  getAgentToken,
  type AgentOptions,
  type AgentRunOptions,
  type AgentToolsModuleOptions,
  type ToolCallResult,
  type ToolExecuteOptions,
} from 'nestjs-agent-tools';
import { callTool, scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { createApp } from '../../support/app.js';
import { runToEnd, streamToEnd, type Outcome } from '../../loop/support/outcome.js';

export interface Setup extends Pick<ModuleMetadata, 'imports' | 'providers'> {
  readonly module?: AgentToolsModuleOptions;
  readonly agent?: Partial<AgentOptions>;
}

/** An application with an agent named "desk", and the ways to call its tools. */
export interface Started {
  readonly app: TestingModule;
  readonly agent: AgentService;
  /** Runs the agent with a script, and checks what must be true of every run. */
  readonly run: (turns: readonly ScriptedTurn[], options?: AgentRunOptions) => Promise<Outcome>;
  /** The same, as a stream. */
  readonly stream: (
    turns: readonly ScriptedTurn[],
    options?: AgentRunOptions,
  ) => ReturnType<typeof streamToEnd>;
  /** The results of the calls of one step. */
  readonly step: (
    calls: ScriptedTurn,
    options?: AgentRunOptions,
  ) => Promise<readonly ToolCallResult[]>;
  /** Calls one tool without an agent. */
  readonly call: (
    name: string,
    args?: unknown,
    options?: ToolExecuteOptions,
  ) => Promise<ToolCallResult>;
}

const apps: TestingModule[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** The application is closed after the test. */
export async function start({ module, agent, providers, imports = [] }: Setup): Promise<Started> {
  const desk = AgentToolsModule.forFeature({ agents: [{ name: 'desk', ...agent }] });
  const app = await createApp({ providers, imports: [desk, ...imports] }, module);
  apps.push(app);
  const service = app.get<AgentService>(getAgentToken('desk'), { strict: false });
  const run: Started['run'] = (turns, options) =>
    runToEnd(service, { model: scripted(turns), ...options });
  return {
    app,
    agent: service,
    run,
    stream: (turns, options) => streamToEnd(service, { model: scripted(turns), ...options }),
    step: async (calls, options) => (await run([calls, 'Done.'], options)).steps[0].toolResults,
    call: (name, args = {}, options) => callTool(app, name, args, options),
  };
}

/** With what an application refuses to start, or "started". */
export async function startError(setup: Setup): Promise<string> {
  try {
    await start(setup);
    return 'started';
  } catch (error) {
    return (error as Error).message;
  }
}
