import { describe, expect, it } from 'vitest';
import { stringLiterals } from './string-literals.ts';

describe('stringLiterals', () => {
  it('finds strings and templates, and neither names nor keys', () => {
    const source = `({ act }) => [act.plan({ question: "one" }), 'two', \`three\`]`;
    expect(stringLiterals(source)).toEqual(['one', 'two', 'three']);
  });

  it('reads what stands inside a template, and leaves a gap for it', () => {
    expect(stringLiterals('`a ${b ? "x" : `y ${{ z: "z" }.z}`} c`')).toEqual(['a   c', 'x', 'y  ', 'z']);
  });

  it('takes escapes for what they say', () => {
    expect(stringLiterals(String.raw`"a\"b\n" + ${'`\\`plan\\``'}`)).toEqual(['a"b\n', '`plan`']);
  });

  it('passes comments and regular expressions that hold quotes, and knows a division', () => {
    const source = `// it's\n/* "no" */ const r = /['"]/.test(s) && a / b / c; return /[/"]/.exec("yes")`;
    expect(stringLiterals(source)).toEqual(['yes']);
  });

  it('ends with a source that is cut off', () => {
    expect(stringLiterals('"open')).toEqual(['open']);
    expect(stringLiterals('`open ${a')).toEqual(['open  ']);
    expect(stringLiterals('/* open')).toEqual([]);
  });
});
