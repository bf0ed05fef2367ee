import type { PromptPiece } from '../definition/prompt-piece.ts';
import type { PromptValue, StepConfig } from '../definition/skill-definition.ts';
import { stringLiterals } from './string-literals.ts';

/** What can be known of a prompt without running it. */
export interface PromptSource {
  /** What the author wrote for the agent to read. Of a function: the texts in it, not its code. */
  readonly prose: string;
  /** The code of a function, or the prose: where a name that is only mentioned is looked for. */
  readonly whole: string;
}

export function promptSourceOf(step: StepConfig): PromptSource {
  const { prompt } = step;
  if (typeof prompt === 'function') {
    const whole = prompt.toString();
    return { prose: stringLiterals(whole).join('\n'), whole };
  }
  const prose = staticPieces(prompt).map(proseOf).join('\n');
  return { prose, whole: prose };
}

/** The pieces of a prompt that is no function. */
export function staticPieces(prompt: PromptValue | undefined): readonly PromptPiece[] {
  if (prompt === undefined || typeof prompt === 'function') return [];
  return isPieces(prompt) ? prompt : [prompt];
}

// `Array.isArray` does not narrow a readonly array.
function isPieces(prompt: PromptPiece | readonly PromptPiece[]): prompt is readonly PromptPiece[] {
  return Array.isArray(prompt);
}

function proseOf(piece: PromptPiece): string {
  if (typeof piece === 'string') return piece;
  return piece.kind === 'act' ? textsOf(piece.primitive).join('\n') : piece.text;
}

/** Keys of a primitive whose values are no prose. */
const NO_PROSE = new Set(['kind', 'type', 'output', 'value', 'status', 'defaultAnswer']);

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (NO_PROSE.has(key) ? [] : textsOf(inner)));
}
