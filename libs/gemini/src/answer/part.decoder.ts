import { ChatModelException, type ChatDelta, type ProviderMetadata } from 'nestjs-agent-tools';
import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import type { WireFunctionCall, WirePart } from './interfaces/generate-content.interface.js';

/** Parts of tools that run on Google's servers: no business of ours, but it wants them back. */
const OPAQUE = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'] as const;

/** Decodes the parts of one answer, in their order. */
export class PartDecoder {
  private parts = 0;
  private calls = 0;

  decode(value: unknown): ChatDelta | undefined {
    if (!isRecord(value)) return undefined;
    const part: WirePart = value;
    if (isRecord(part.functionCall)) return this.toCall(part.functionCall, part.thoughtSignature);
    if (OPAQUE.some((field) => isRecord(part[field]))) {
      const providerMetadata = { gemini: { part } };
      return { type: 'reasoning', text: '', part: ++this.parts, providerMetadata };
    }
    return this.toText(part);
  }

  /** A part with a signature stays apart: it must go back as it came. */
  private toText({ text, thought, thoughtSignature }: WirePart): ChatDelta | undefined {
    // A part of another kind would lose what its signature is for.
    if (typeof text !== 'string' && text !== undefined) return undefined;
    const providerMetadata = toMetadata(thoughtSignature);
    if (!text && !providerMetadata) return undefined;
    return {
      type: thought === true ? 'reasoning' : 'text',
      text: text ?? '',
      ...(providerMetadata && { part: ++this.parts, providerMetadata }),
    };
  }

  private toCall(
    { id, name, args, partialArgs, willContinue }: WireFunctionCall,
    signature: unknown,
  ): ChatDelta | undefined {
    if (partialArgs !== undefined || willContinue === true) {
      throw new ChatModelException(
        'Gemini sent the arguments of a tool call in pieces, which gemini({ … }) does not read. Remove ' +
          '`streamFunctionCallArguments` from `body`.',
      );
    }
    if (!isText(name)) return undefined;
    const providerMetadata = toMetadata(signature);
    return {
      type: 'tool-call',
      index: this.calls++,
      ...(isText(id) && { id }),
      name,
      arguments: toArguments(args),
      ...(providerMetadata && { providerMetadata }),
    };
  }
}

function toArguments(args: unknown): string {
  if (typeof args === 'string') return args;
  return JSON.stringify(args ?? {});
}

function toMetadata(thoughtSignature: unknown): ProviderMetadata | undefined {
  return isText(thoughtSignature) ? { gemini: { thoughtSignature } } : undefined;
}
