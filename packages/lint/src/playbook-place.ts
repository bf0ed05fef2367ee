import type { Position } from '@skillyard/contracts';
import { headerPosition, type SkillSubject } from './subject.ts';

/**
 * Finds where pieces of the playbook stand in the file, from above to below. A piece that the file spells in another
 * way, such as with an escape, has no place of its own: it stands where the playbook begins.
 */
export class PlaybookPlaces {
  readonly #lines: readonly string[];
  readonly #start: Position;
  /** Where the next piece is looked for: line from 0, column from 0. */
  #line: number;
  #column: number;

  constructor({ source, skill }: SkillSubject) {
    this.#lines = source.split('\n');
    this.#start = headerPosition(skill, 'playbook');
    this.#line = this.#start.line - 1;
    this.#column = this.#start.column - 1 + 'playbook'.length;
  }

  /** @param piece something that stands in the playbook below what was asked for before; its first line counts */
  next(piece: string): Position {
    const [first = ''] = piece.split('\n', 1);
    let column = this.#column;
    for (let line = this.#line; line < this.#lines.length; line++, column = 0) {
      const at = this.#lines[line]?.indexOf(first, column) ?? -1;
      if (at < 0) continue;
      this.#line = line;
      this.#column = at + first.length;
      return { line: line + 1, column: at + 1 };
    }
    return this.#start;
  }
}
