import type { TokenUsage } from '@skillyard/contracts';

/** Tokens as people read them: `1,200 in, 40 out`. */
export function tokensText({ inputTokens, outputTokens }: TokenUsage): string {
  return `${inputTokens.toLocaleString('en')} in, ${outputTokens.toLocaleString('en')} out`;
}
