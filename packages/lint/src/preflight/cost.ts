import type { WorstCase } from './worst-case.ts';

/** What is known of a model. */
export interface ModelFacts {
  /** What it takes per million tokens, in one currency for all models. */
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  /** The ceiling of an answer, when the step does not set one. */
  readonly maxOutputTokens?: number | undefined;
}

/** What is assumed of a generation, since no description says it. */
export interface TokenGuess {
  /** Tokens of what a model is told, each time. */
  readonly input: number;
  /** Tokens of an answer that has no ceiling. */
  readonly output: number;
}

/** What a turn may cost at most, under assumptions. */
export interface CostEnvelope {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null when a model that may be asked has no price. */
  readonly cost: number | null;
  /** Models without a price; '' is the default one. */
  readonly unpriced: readonly string[];
}

/**
 * The tokens and the cost of a worst case.
 * @param modelOf '' is the default model
 * @param mostTokens the limit of the turn on tokens; 0 for none
 */
export function costOf(
  worst: WorstCase,
  modelOf: (model: string) => ModelFacts,
  guess: TokenGuess,
  mostTokens = 0,
): CostEnvelope {
  let inputTokens = 0;
  let outputTokens = 0;
  let cost = 0;
  const unpriced: string[] = [];
  for (const [model, use] of worst.byModel) {
    const input = use.generations * guess.input;
    const { price, maxOutputTokens = guess.output } = modelOf(model);
    const output = use.outputTokens + use.unbounded * maxOutputTokens;
    inputTokens += input;
    outputTokens += output;
    if (price === undefined) unpriced.push(model);
    else cost += (input * price.input + output * price.output) / 1e6;
  }
  const tokens = inputTokens + outputTokens;
  // The turn stops at the first generation after its limit: all that were counted are scaled down alike.
  const share = mostTokens > 0 && tokens > mostTokens ? mostTokens / tokens : 1;
  return {
    inputTokens: Math.ceil(inputTokens * share),
    outputTokens: Math.ceil(outputTokens * share),
    cost: unpriced.length > 0 ? null : cost * share,
    unpriced,
  };
}
