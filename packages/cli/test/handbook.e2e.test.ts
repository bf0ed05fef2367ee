import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HANDBOOK_INDEX, HANDBOOK_PAGES } from '../src/handbook/pages.generated.ts';
import { openWorkplace, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const loops = HANDBOOK_PAGES.find(({ topic }) => topic === 'loops');

describe('skillyard handbook', () => {
  it('prints the index, a page, and the page a rule points to', async () => {
    expect(await place.run(['handbook'])).toMatchObject({ code: 0, stdout: HANDBOOK_INDEX });
    expect(await place.run(['handbook', 'loops'])).toMatchObject({ code: 0, stdout: loops?.text });
    expect(await place.run(['handbook', 'w6'])).toMatchObject({ code: 0, stdout: loops?.text });
  });

  it('prints JSON with the rules of each page', async () => {
    const page = await place.run(['handbook', 'loops', '--json']);
    expect(JSON.parse(page.stdout)).toEqual({ ...loops, rules: ['W6'] });
    const index = JSON.parse((await place.run(['handbook', '--json'])).stdout) as { topics: unknown[] };
    expect(index.topics).toContainEqual({ topic: 'loops', title: loops?.title, rules: ['W6'] });
    expect(index.topics).toHaveLength(HANDBOOK_PAGES.length);
  });

  it('refuses an unknown page with exit code 2 and the pages there are', async () => {
    const run = await place.run(['handbook', 'knots']);
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no page "knots"; write one of: header, .*limits/),
    });
  });
});
