import MiniSearch from 'minisearch';
import type { ChatTool } from 'nestjs-agent-tools';
import { parametersOf } from './parameter.reader.js';
import { contentWords } from './word.normalizer.js';

export interface RankedTool {
  readonly tool: ChatTool;
  readonly score: number;
  /** The words that the tool has. */
  readonly words: readonly string[];
  /** Whether its name has one of them. */
  readonly named: boolean;
}

const rankers = new WeakMap<readonly ChatTool[], ToolRanker>();

/** Ranks tools by the words of a prompt, with a full-text index over their descriptions. */
export class ToolRanker {
  /** Makes the index of a list of tools once. */
  static of(tools: readonly ChatTool[]): ToolRanker {
    const ranker = rankers.get(tools) ?? new ToolRanker(tools);
    rankers.set(tools, ranker);
    return ranker;
  }

  readonly #vocabulary: ReadonlySet<string>;
  readonly #index = new MiniSearch({
    fields: ['name', 'description', 'parameters'],
    tokenize: contentWords,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (words) => words.split(' '),
      boost: { name: 3, description: 1.5 },
      boostTerm: (term) => (term === 'find' ? 0.3 : 1),
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.3 },
    },
  });

  private constructor(private readonly tools: readonly ChatTool[]) {
    const documents = tools.map(({ name, description, inputSchema }, id) => {
      const parameters = parametersOf(inputSchema);
      const texts = parameters.map(({ text, schema }) => `${text} ${schema.enum?.join(' ') ?? ''}`);
      const names = parameters.map(({ path }) => path.join(' ')).join(' ');
      return { id, name, description, parameters: texts.join(' '), names };
    });
    this.#index.addAll(documents);
    // Capital letters inside a description are examples, "Paris", rather than words of the tool.
    const texts = documents.map(
      (it) => `${it.name} ${it.names} ${it.description.replace(/(?<=\s)\p{Lu}\S+/gu, '')}`,
    );
    this.#vocabulary = new Set(contentWords(texts.join(' ')));
  }

  readonly knows = (word: string): boolean => this.#vocabulary.has(word);

  rank(words: readonly string[]): RankedTool[] {
    const found = new Map(this.#index.search(words.join(' ')).map((each) => [each.id, each]));
    // A word in the name of only one tool has the same score however many tools there are.
    const unit = Math.log(1 + (this.tools.length - 0.5) / 1.5);
    return this.tools.map((tool, id) => {
      const { score = 0, queryTerms = [], match = {} } = found.get(id) ?? {};
      const clear = queryTerms.filter((word) => word !== 'find');
      const named = Object.entries(match).some(
        ([word, fields]) => word !== 'find' && fields.includes('name'),
      );
      return { tool, score: score / unit, words: clear, named };
    });
  }
}
