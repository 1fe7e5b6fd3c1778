import type { AgentEvent } from 'nestjs-agent-tools';
import type { User } from './auth/user.interface.js';

const RESULT_LENGTH = 160;

/** Shows a run in the terminal while it happens. */
export class RunPrinter {
  private isInText = false;

  constructor(private readonly output: { write(text: string): unknown }) {}

  start(modelName: string, { name, role }: User): void {
    this.line(`Model: ${modelName}`);
    this.line(`User:  ${name} (${role})`);
  }

  question(text: string): void {
    this.line(`\n> ${text}`);
  }

  print(event: AgentEvent): void {
    if (event.type === 'text-delta') {
      this.output.write(this.isInText ? event.text : `  ${event.text}`);
      this.isInText = true;
      return;
    }
    const text = describe(event);
    if (text !== undefined) this.line(`  ${text}`);
  }

  private line(text: string): void {
    if (this.isInText) this.output.write('\n');
    this.isInText = false;
    this.output.write(`${text}\n`);
  }
}

function describe(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'step-started':
      return `step ${event.step}`;
    case 'tool-call':
      return `→ ${event.name}(${event.arguments})`;
    case 'tool-progress':
      return `… ${event.name}: ${shorten(JSON.stringify(event.value))}`;
    case 'tool-result': {
      const content =
        typeof event.content === 'string' ? event.content : JSON.stringify(event.content);
      return `← ${event.name} ${event.status} in ${event.duration.toFixed(1)} ms: ${shorten(content)}`;
    }
    case 'model-retried':
      return `the model is asked again: ${event.error.message}`;
    case 'step-finished':
      return `step ${event.step} took ${event.duration.toFixed(1)} ms, ${event.usage?.totalTokens ?? '?'} tokens`;
    case 'run-finished':
      return `${event.result.status}: ${event.result.steps.length} steps, ${event.result.usage.totalTokens} tokens`;
    case 'run-failed':
      return `failed: ${event.error.message}`;
    case 'run-started':
    case 'text-delta':
    case 'reasoning-delta':
      return undefined;
  }
}

function shorten(text: string): string {
  return text.length > RESULT_LENGTH ? `${text.slice(0, RESULT_LENGTH)}…` : text;
}
