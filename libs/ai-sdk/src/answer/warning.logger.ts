import { inspect } from 'node:util';
import { OnceLogger, toSafeText, isRecord } from 'nestjs-agent-tools/model-kit';

const MAX_TEXT = 500;

/** Tells the log, once per model, what a provider did not do as it was asked. */
export class WarningLogger {
  private readonly logger = new OnceLogger();

  constructor(private readonly label: string) {}

  report(warnings: unknown): void {
    if (!Array.isArray(warnings)) return;
    for (const warning of warnings as unknown[]) {
      this.logger.warn(`${this.label} warns: ${toSafeText(describe(warning), MAX_TEXT)}`);
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
  return words.length > 0 ? words.join(' ') : toText(warning);
}

/** A tool that is not supported is given as a whole. */
function toName(value: unknown): string | undefined {
  const name = isRecord(value) ? value.name : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Not every value can be JSON, and a warning must not end the answer. */
function toText(warning: object): string {
  try {
    return JSON.stringify(warning);
  } catch {
    return inspect(warning, { breakLength: Infinity });
  }
}
