import { mockModel, runSkill } from '@skillyard/kit/test';
import { describe, expect, it } from 'vitest';
import plainWords from './skill.ts';

const LONG =
  'We will close the road on Monday because the pipes under it are old and new ones have to be laid soon.';

describe('plain-words', () => {
  it('goes round until every sentence is short', async () => {
    const { path, response } = await runSkill(plainWords, {
      params: { text: 'We will close the road on Monday, because of the pipes.' },
      model: mockModel({
        rewrite: [{ sentences: [LONG] }, { sentences: ['We close the road on Monday.'] }],
        show: { leftOut: 'Nothing.' },
      }),
    });
    expect(path).toEqual(['rewrite', 'rewrite', 'show']);
    expect(response).toEqual({ leftOut: 'Nothing.' });
  });

  it('shows what it has after three attempts', async () => {
    const { path } = await runSkill(plainWords, {
      params: { text: 'A long text.' },
      model: mockModel({
        rewrite: [{ sentences: [LONG] }, { sentences: [LONG] }, { sentences: [LONG] }],
        show: (prompt: string) => ({ leftOut: prompt.includes(LONG) ? 'much' : 'nothing' }),
      }),
    });
    expect(path).toEqual(['rewrite', 'rewrite', 'rewrite', 'show']);
  });

  it('refuses an empty text before it asks anybody', async () => {
    await expect(runSkill(plainWords, { params: { text: '' }, model: mockModel({}) })).rejects.toThrow(
      'text',
    );
  });
});
