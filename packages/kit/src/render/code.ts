/** At least so long is a fence. */
const FENCE = '```';

/** A line of the source that would close a fence, and the backticks in it. */
const CLOSING_FENCE = /^ {0,3}(`{3,})[ \t]*$/gm;

/** A fenced block, whose fence is longer than any in the source. */
export function code(source: string, language = ''): string {
  const inner = [...source.matchAll(CLOSING_FENCE)].map(([, backticks]) => `${backticks}\``);
  const fence = inner.reduce((longest, one) => (one.length > longest.length ? one : longest), FENCE);
  return `${fence}${language}\n${source}\n${fence}`;
}
