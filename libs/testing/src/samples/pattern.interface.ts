/** What a part of a regular expression stands for, as far as texts can be made from it. */
export type PatternNode =
  /** One of these characters. */
  | { readonly type: 'characters'; readonly characters: readonly string[] }
  | { readonly type: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly type: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
    }
  | { readonly type: 'group'; readonly names: readonly string[]; readonly item: PatternNode }
  /** What a group stood for. */
  | { readonly type: 'reference'; readonly name: string };

export const NOTHING: PatternNode = { type: 'sequence', items: [] };
