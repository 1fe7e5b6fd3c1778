import MiniSearch from 'minisearch';
import type { ChatTool } from 'nestjs-agent-tools';
import { parametersOf } from './parameter.reader.js';
import { contentWords } from './word.normalizer.js';

export interface RankedTool {
  readonly tool: ChatTool;
  readonly score: number;
  /** The words of the query that it has. */
  readonly words: ReadonlySet<string>;
  /** Whether one of them is more than "find" or "show". */
  readonly clear: boolean;
  /** Whether its name has such a word. */
  readonly named: boolean;
}

const GENERIC = new Set(contentWords('find'));
const indexes = new WeakMap<readonly ChatTool[], ToolRanker>();

/** Finds the tools for the words of a prompt with a full-text index over their descriptions. */
export class ToolRanker {
  readonly #index = new MiniSearch({
    fields: ['name', 'description', 'parameters'],
    tokenize: contentWords,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (words) => words.split(' '),
      boost: { name: 3, description: 1.5 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.3 },
      boostTerm: (term) => (GENERIC.has(term) ? 0.3 : 1),
    },
  });
  readonly #words: ReadonlySet<string>;
  readonly #unit: number;

  static for(tools: readonly ChatTool[]) {
    const ranker = indexes.get(tools) ?? new ToolRanker(tools);
    indexes.set(tools, ranker);
    return ranker;
  }

  constructor(readonly tools: readonly ChatTool[]) {
    const documents = tools.map(({ name, description, inputSchema }, id) => {
      const parameters = parametersOf(inputSchema);
      return {
        id,
        name,
        description,
        parameters: parameters
          .map(({ text, schema }) => `${text} ${(schema.enum ?? []).join(' ')}`)
          .join(' '),
        names: parameters.flatMap((p) => p.name).join(' '),
      };
    });
    this.#index.addAll(documents);
    this.#words = new Set(
      documents.flatMap(({ name, description, names }) =>
        contentWords(`${name} ${names} ${description.replace(/(?<!^)(?<!\. )\b\p{Lu}\S*/gu, '')}`),
      ),
    );
    this.#unit = Math.log(1 + (tools.length - 0.5) / 1.5);
  }

  readonly knows = (word: string): boolean => this.#words.has(word);

  rank(words: readonly string[]): RankedTool[] {
    return this.#index.search(words.join(' ')).flatMap((result) => {
      const tool = this.tools[Number(result.id)];
      const core = result.queryTerms.filter((term) => !GENERIC.has(term));
      const named = Object.entries(result.match).some(
        ([term, fields]) => !GENERIC.has(term) && fields.includes('name'),
      );
      return tool
        ? [
            {
              tool,
              score: result.score / this.#unit,
              words: new Set(result.queryTerms),
              clear: core.length > 0,
              named,
            },
          ]
        : [];
    });
  }
}
