import type { ExecutionContext, PipeTransform, Type } from '@nestjs/common';
import type { ToolParamOptions } from './tool-param-options.interface.js';

/** What our parameter decorators store, beside the entry that Nest's own decorator makes. */
export type ToolParameterMark =
  | { readonly kind: 'input' | 'call' | 'signal'; readonly index: number }
  | {
      readonly kind: 'field';
      readonly index: number;
      readonly name: string;
      readonly options: ToolParamOptions;
    }
  | { readonly kind: 'context'; readonly index: number; readonly key?: string };

/** A parameter of a tool method and where its value comes from. */
export type ToolParameter = ToolParameterSource & {
  readonly index: number;
  /** What TypeScript's metadata says; pipes get it as `metatype`. */
  readonly designType: unknown;
  readonly pipes: readonly (PipeTransform | Type<PipeTransform>)[];
};

export type ToolParameterSource =
  | { readonly kind: 'input' | 'call' | 'signal' }
  | { readonly kind: 'field'; readonly name: string; readonly options: ToolParamOptions }
  | { readonly kind: 'context'; readonly key?: string }
  | {
      readonly kind: 'custom';
      readonly factory: (data: unknown, context: ExecutionContext) => unknown;
      readonly data: unknown;
      readonly schema?: unknown;
    };
