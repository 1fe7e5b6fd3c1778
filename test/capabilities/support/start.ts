import { afterEach } from '@jest/globals';
import type { ModuleMetadata } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentEvents,
  AgentService,
  AgentToolsModule,
  ToolExecutor,
  ToolRegistry,
  type AgentResult,
  type AgentRunOptions,
  type AgentToolsFeatureOptions,
  type AgentToolsModuleOptions,
  type RuntimeEvent,
  type ToolCallResult,
  type ToolExecuteOptions,
} from 'nestjs-agent-tools';
import {
  scripted,
  type ScriptedCall,
  type ScriptedChatModel,
  type ScriptedTurn,
} from 'nestjs-agent-tools/testing';
import { resultsOf } from '../../loop/support/messages.js';
import { createApp } from '../../support/app.js';

export interface Setup
  extends Pick<ModuleMetadata, 'imports' | 'providers'>, AgentToolsFeatureOptions {
  readonly module?: AgentToolsModuleOptions;
}

/** A run of the default agent, and the model that it talked to. */
export interface PlayedRun {
  readonly result: AgentResult;
  /** Of all steps. */
  readonly results: readonly ToolCallResult[];
  readonly model: ScriptedChatModel;
}

/** An application as a user has it; it is closed after the test. */
export interface Started {
  readonly app: TestingModule;
  readonly agent: AgentService;
  readonly registry: ToolRegistry;
  readonly events: AgentEvents;
  /** Calls one tool without an agent. */
  readonly call: (
    name: string,
    args?: unknown,
    options?: ToolExecuteOptions,
  ) => Promise<ToolCallResult>;
  /** Lets the agent play a script. */
  readonly run: (
    turns: readonly ScriptedTurn[],
    options?: Omit<AgentRunOptions, 'model'>,
  ) => Promise<PlayedRun>;
  /** Lets the model make these calls in one step, and then answer. */
  readonly step: (
    calls: readonly ScriptedCall[],
    options?: Omit<AgentRunOptions, 'model'>,
  ) => Promise<PlayedRun>;
}

const apps: TestingModule[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

export async function start({
  module,
  agents,
  tools,
  providers,
  imports = [],
}: Setup): Promise<Started> {
  const feature = AgentToolsModule.forFeature({ agents, tools });
  const app = await createApp({ providers, imports: [feature, ...imports] }, module);
  apps.push(app);
  const agent = app.get(AgentService);
  const executor = app.get(ToolExecutor);
  const run: Started['run'] = async (turns, options) => {
    const model = scripted(turns);
    const result = await agent.run('Go.', { ...options, model });
    model.assertComplete();
    return { result, results: result.steps.flatMap(({ toolResults }) => toolResults), model };
  };
  return {
    app,
    agent,
    registry: app.get(ToolRegistry),
    events: app.get(AgentEvents),
    call: (name, args = {}, options = {}) => executor.execute(name, args, options),
    run,
    step: (calls, options) => run([calls, 'Done.'], options),
  };
}

/** What the model was told of its calls, as of its last request. */
export function readings({ requests }: ScriptedChatModel): unknown[] {
  return resultsOf(requests.at(-1)?.messages ?? []).map(({ content }) => content);
}

/** Collects the events of the application. */
export function recorded({ events }: Started): RuntimeEvent[] {
  const all: RuntimeEvent[] = [];
  events.subscribe((event) => all.push(event));
  return all;
}
