import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KitError } from '../kit-error.ts';
import { fragment } from '../prompt/fragment.ts';
import { prompt } from '../prompt/prompt.ts';
import { system } from '../prompt/system.ts';
import { view } from '../prompt/view.ts';
import { render } from './render.ts';

interface Case {
  readonly fn: string;
  readonly args?: readonly unknown[];
  readonly source?: string;
  readonly output?: unknown;
  readonly throws?: unknown;
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../../conformance/kit/render-helpers.json', import.meta.url), 'utf8'),
) as readonly Case[];

/** What the recorded templates are, since a template cannot be made of data. */
const TEMPLATES: Readonly<Record<string, () => unknown>> = {
  'system`\\n    Be ${"calm"}.\\n      Slow.\\n  `': () => system`\n    Be ${'calm'}.\n      Slow.\n  `,
  'prompt`\\n    A\\n\\n      B ${1}\\n    C\\n  `': () => prompt`\n    A\n\n      B ${1}\n    C\n  `,
  'prompt`one`': () => prompt`one`,
  'prompt``': () => prompt``,
  'prompt`\\n  ${"x\\ny"}\\n  z`': () => prompt`\n  ${'x\ny'}\n  z`,
  'prompt`${null} ${undefined} ${{a:1}} ${[1,2]}`': () => prompt`${null} ${undefined} ${{ a: 1 }} ${[1, 2]}`,
  'prompt`\\n  ${fragment}\\n  end`': () =>
    prompt`\n  ${fragment('tone', '\n   Keep calm.\n   Carry on.\n')}\n  end`,
};

const FUNCTIONS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.entries(render).map(([name, helper]) => [`render.${name}`, helper])),
  view,
  system,
  fragment,
};

describe('helpers give what is recorded', () => {
  const cases = CASES.filter((one) => one.fn !== 'deepMerge');
  it.each(cases.map((one) => [`${one.fn} ${one.source ?? JSON.stringify(one.args)}`, one] as const))(
    '%s',
    (_title, recorded) => {
      const run = callOf(recorded);
      if (recorded.throws === undefined) {
        expect(run()).toEqual(recorded.output);
      } else {
        expect(run).toThrow(KitError);
      }
    },
  );
});

function callOf({ fn, args = [], source }: Case): () => unknown {
  const call = source === undefined ? FUNCTIONS[fn] : TEMPLATES[source];
  if (typeof call !== 'function') {
    throw new Error(`nothing stands for ${fn} ${source ?? ''}`);
  }
  return () => (call as (...all: readonly unknown[]) => unknown)(...args);
}

describe('a table', () => {
  it('has icons in the columns that are said to have them', () => {
    const rows = [{ name: 'ok', state: 'ok' }];
    expect(render.table(rows, { statusIcons: { ok: '+' }, statusColumns: ['state'] })).toBe(
      '| name | state |\n| --- | --- |\n| ok | + |',
    );
  });

  it('takes no icon from what every object has', () => {
    expect(render.table([{ status: 'toString' }], { statusIcons: {} })).toContain('| toString |');
  });

  it('keeps its form when cells are escaped', () => {
    expect(render.table([{ 'a|b': 'x|y\nz', c: '\\' }], { escapeCells: true })).toBe(
      '| a\\|b | c |\n| --- | --- |\n| x\\|y<br>z | \\\\ |',
    );
  });
});

describe('a diff with context', () => {
  it('shows a line that was taken out as one change', () => {
    expect(render.diff('a\nb\nc\n', 'b\nc\n', { context: 1 })).toBe(
      '--- before\n+++ after\n@@ -1,2 +1,1 @@\n-a\n b',
    );
  });

  it('has a hunk for every change that is far from the others', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const changed = lines.with(2, 'new').toSpliced(25, 0, 'put in');
    const text = render.diff(lines.join('\n'), changed.join('\n'), { context: 2 });
    expect(text.split('\n').filter((line) => line.startsWith('@@'))).toHaveLength(2);
    expect(text.split('\n').filter((line) => /^[+-][^+-]/.test(line))).toEqual([
      '-line 2',
      '+new',
      '+put in',
    ]);
  });

  it('of equal texts is its header', () => {
    expect(render.diff('a', 'a', { context: 3 })).toBe('--- before\n+++ after');
  });
});

describe('a code block', () => {
  it('has a fence longer than one that its source would close it with', () => {
    expect(render.code('a\n````\nb')).toBe('`````\na\n````\nb\n`````');
  });
});

describe('a template', () => {
  it('takes a tab for one character of indent and leaves blank lines blank', () => {
    expect(prompt`\n\t\ta\n\n\t\t\tb\n`).toBe('a\n\n\tb');
  });

  it('gives the content of a fragment, and its text otherwise', () => {
    expect(prompt`${{ name: 'n', content: 'c' }} ${{ name: 'n' }}`).toBe('c [object Object]');
  });
});
