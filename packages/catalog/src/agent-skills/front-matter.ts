import { trimSpace } from './trim-space.ts';

/** The parts of a `SKILL.md`. */
export interface SkillText {
  /** The YAML between the fences; null when one of them is missing. */
  readonly frontMatter: string | null;
  readonly body: string;
}

const FENCE = '---';

/**
 * Takes a `SKILL.md` apart. Only the first line can open the front matter, only the first fence behind it closes it:
 * a rule in the body stays there.
 * @param text CRLF counts as LF
 */
export function splitFrontMatter(text: string): SkillText {
  const unix = text.replaceAll('\r\n', '\n');
  const opening = lineEnd(unix, 0);
  if (!isFence(unix, 0, opening)) return { frontMatter: null, body: trimSpace(unix) };
  for (let start = opening + 1; start <= unix.length;) {
    const end = lineEnd(unix, start);
    if (isFence(unix, start, end)) {
      return { frontMatter: unix.slice(opening + 1, start), body: trimSpace(unix.slice(end)) };
    }
    start = end + 1;
  }
  return { frontMatter: null, body: trimSpace(unix) };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

function isFence(text: string, start: number, end: number): boolean {
  return text.slice(start, end).includes(FENCE) && trimSpace(text.slice(start, end)) === FENCE;
}
