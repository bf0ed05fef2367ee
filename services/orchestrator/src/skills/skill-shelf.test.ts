import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';
import { SkillShelf } from './skill-shelf.ts';

function skillText(name: string, length: number): string {
  return `skill_engine_version: "2.4.1"
name: ${name}
description: ${'x'.repeat(length)}
workflow:
  tools: []
  steps:
    - set: {var: answer, value: "x"}
`;
}

describe('a text that comes from outside', () => {
  it('waits for others when it is large and was not read before, and a small one does not', async () => {
    const pace = new Pace();
    // Neither uploaded skills nor folders are asked.
    const shelf = new SkillShelf(undefined as never, undefined as never, Date.now, pace);
    const known = skillText('known', 100_000);
    await shelf.accept(known, 'known.yaml');
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const other = pace.run(() => released);
    const read: string[] = [];
    const waiting = shelf
      .accept(skillText('large', 100_000), 'large.yaml')
      .then(({ name }) => read.push(name));
    read.push((await shelf.accept(skillText('small', 100), 'small.yaml')).name);
    read.push((await shelf.accept(known, 'known.yaml')).name);
    release();
    await Promise.all([other, waiting]);
    expect(read).toEqual(['small', 'known', 'large']);
  });
});
