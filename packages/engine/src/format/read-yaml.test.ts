import { describe, expect, it } from 'vitest';
import { loadSkill } from './load-skill.ts';

const HEADER = 'skill_engine_version: "2.5.0"\nname: kiln\ndescription: d\n';

/** The first problem of a text, in short. */
function firstProblem(text: string): object | undefined {
  const result = loadSkill(text);
  const [first] = result.diagnostics;
  return (
    first && { stage: result.skill === null ? result.stage : '', code: first.code, position: first.position }
  );
}

function at(line: number, column: number): object {
  return { line, column };
}

describe('a text that is no skill file', () => {
  it('is refused with SKILL_YAML and the place when it is not YAML', () => {
    expect(firstProblem(`${HEADER}playbook: "open`)).toEqual({
      stage: 'parse',
      code: 'SKILL_YAML',
      position: at(4, 16),
    });
    expect(firstProblem('name: [a')).toMatchObject({ stage: 'parse', code: 'SKILL_YAML' });
    expect(firstProblem(`${HEADER}workflow:\n\tsteps: []`)).toMatchObject({
      stage: 'parse',
      code: 'SKILL_YAML',
    });
  });

  it('says what to do about a colon inside an unquoted value', () => {
    const [problem] = loadSkill(`${HEADER}playbook: Say: hello`).diagnostics;
    expect(problem?.hint).toContain('quotes');
    expect(problem?.position).toEqual(at(4, 11));
  });

  it('says what to do about a template without quotes', () => {
    const [problem] = loadSkill(`${HEADER}playbook: {{input}}`).diagnostics;
    expect(problem).toMatchObject({ code: 'SKILL_YAML', hint: expect.stringContaining('"{{name}}"') });
  });

  it('is refused with SKILL_ROOT when its root is a list or a text', () => {
    expect(firstProblem('- name: kiln')).toEqual({ stage: 'parse', code: 'SKILL_ROOT', position: at(1, 1) });
    expect(firstProblem('kiln')).toEqual({ stage: 'parse', code: 'SKILL_ROOT', position: at(1, 1) });
  });

  it.each(['', '\n\n', '# nothing yet\n', '---\n', 'null'])('is refused as empty when it is %j', (text) => {
    const result = loadSkill(text);
    expect(result).toMatchObject({
      stage: 'validate',
      diagnostics: [{ code: 'VERSION_MISSING' }, {}, {}, {}],
    });
    expect(result.diagnostics[0]?.message).toContain('The file is empty');
  });

  it('is told apart from a skill with mistakes when it has none of its keys', () => {
    const [problem] = loadSkill('roles:\n  reader: short reads\nmodels: [a]\n').diagnostics;
    expect(problem?.message).toContain('does not look like a skill file');
    expect(problem?.message).toContain('"roles", "models"');
  });

  it('is refused with SKILL_SEVERAL_DOCUMENTS when a second document follows', () => {
    expect(firstProblem(`${HEADER}playbook: p\n---\n${HEADER}`)).toEqual({
      stage: 'parse',
      code: 'SKILL_SEVERAL_DOCUMENTS',
      position: at(5, 1),
    });
    expect(firstProblem(`---\n${HEADER}playbook: p\n---\n`)).toMatchObject({
      code: 'SKILL_SEVERAL_DOCUMENTS',
    });
  });

  it('is refused with SKILL_YAML when it holds a character that YAML does not allow', () => {
    expect(firstProblem(`${HEADER}playbook: a\u0007b`)).toEqual({
      stage: 'parse',
      code: 'SKILL_YAML',
      position: at(4, 12),
    });
    expect(firstProblem(`${HEADER}playbook: a\uD800b`)).toMatchObject({ stage: 'parse', code: 'SKILL_YAML' });
  });
});

describe('a text that costs too much', () => {
  it('is refused with SKILL_TOO_LARGE above 1 MiB, counted in bytes', () => {
    expect(firstProblem(`${HEADER}playbook: ${'x'.repeat(10_000_000)}`)).toMatchObject({
      code: 'SKILL_TOO_LARGE',
    });
    expect(firstProblem(`${HEADER}playbook: ${'ж'.repeat(600_000)}`)).toMatchObject({
      code: 'SKILL_TOO_LARGE',
    });
    expect(firstProblem(`${HEADER}playbook: ${'x'.repeat(1_000_000)}`)).toBeUndefined();
  });

  it.each(['[', '{', '- ', '? ', '{a: ', '[a, '])(
    'is refused with SKILL_TOO_COMPLEX when %j is repeated',
    (opening) => {
      expect(firstProblem(`${HEADER}meta: {a: ${opening.repeat(100_000)}`)).toMatchObject({ stage: 'parse' });
      expect(firstProblem(opening.repeat(100_000))).toMatchObject({
        stage: 'parse',
        code: 'SKILL_TOO_COMPLEX',
      });
    },
  );

  it('is refused with SKILL_TOO_COMPLEX when nested blocks go too deep', () => {
    const deep = Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    expect(firstProblem(deep)).toMatchObject({ stage: 'parse', code: 'SKILL_TOO_COMPLEX' });
  });

  it('is refused with SKILL_TOO_COMPLEX when its aliases unfold to more than the file could hold', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `  l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    );
    expect(
      firstProblem(`${HEADER}playbook: p\nmeta:\n  l0: &l0 [ha, ha]\n${levels.join('\n')}\n`),
    ).toMatchObject({
      stage: 'parse',
      code: 'SKILL_TOO_COMPLEX',
    });
    const long = `  long: &long ${'x'.repeat(500_000)}\n  many: [${'*long,'.repeat(1000)}]`;
    expect(firstProblem(`${HEADER}playbook: p\nmeta:\n${long}\n`)).toMatchObject({
      code: 'SKILL_TOO_COMPLEX',
    });
  });

  it('is refused with SKILL_TOO_COMPLEX when aliases make it too deep', () => {
    const levels = Array.from({ length: 300 }, (_, level) => `  l${level + 1}: &l${level + 1} [*l${level}]`);
    expect(firstProblem(`${HEADER}meta:\n  l0: &l0 []\n${levels.join('\n')}\n`)).toMatchObject({
      code: 'SKILL_TOO_COMPLEX',
    });
  });

  it('is read in linear time when a mapping is very large', () => {
    const keys = Array.from({ length: 10_000 }, (_, key) => `  key-${key}: &a${key} 1`).join('\n');
    expect(firstProblem(`${HEADER}playbook: p\nmeta:\n${keys}\n`)).toBeUndefined();
  });

  it('names at most 100 problems', () => {
    const steps = '    - {}\n'.repeat(5000);
    expect(loadSkill(`${HEADER}workflow:\n  steps:\n${steps}`).diagnostics).toHaveLength(100);
  });
});

describe('keys, anchors and aliases', () => {
  it('refuses a repeated key at any depth, in any spelling, known or unknown', () => {
    expect(firstProblem(`${HEADER}name: oven\n`)).toEqual({
      stage: 'parse',
      code: 'SKILL_DUPLICATE_KEY',
      position: at(4, 1),
    });
    expect(firstProblem(`${HEADER}playbook: p\nmeta: {a: [{b: 1, "b": 2}]}`)).toMatchObject({
      code: 'SKILL_DUPLICATE_KEY',
    });
    expect(firstProblem(`${HEADER}playbook: p\nmeta: {1: a, "1": b}`)).toMatchObject({
      code: 'SKILL_DUPLICATE_KEY',
    });
  });

  it('names every repeated key', () => {
    const codes = loadSkill('a: 1\na: 2\nb: 1\nb: 2\n').diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['SKILL_DUPLICATE_KEY', 'SKILL_DUPLICATE_KEY']);
  });

  it('puts aliases in, as text, as values and as steps', () => {
    const text = `${HEADER}workflow:\n  vars: {n: &n 007, m: *n}\n  steps:\n    - &go {name: go, set: {var: a, value: x}}\n    - *go\n`;
    const { workflow } = loadSkill(text).skill ?? {};
    expect(workflow?.vars.get('m')).toBe('007');
    expect(workflow?.steps.map(({ name }) => name)).toEqual(['go', 'go']);
  });

  it('takes keys over by merge keys: own ones win, then the source named first', () => {
    const merges = 'a: &a {x: 1, y: 1}\n  b: &b {y: 2, z: 2}\n  c: {<<: [*a, *b], x: 0}\n  d: {"<<": 1}';
    const { meta } = loadSkill(`${HEADER}playbook: p\nmeta:\n  ${merges}\n`).skill ?? {};
    expect(meta).toMatchObject({ c: { x: 0, y: 1, z: 2 }, d: { '<<': 1 } });
  });

  it('refuses a merge key that names no mapping', () => {
    expect(firstProblem(`${HEADER}playbook: p\nmeta: {<<: 1}`)).toMatchObject({
      stage: 'parse',
      code: 'SKILL_YAML',
    });
  });

  it('refuses an alias without an anchor above it', () => {
    expect(firstProblem(`${HEADER}playbook: *p`)).toEqual({
      stage: 'parse',
      code: 'SKILL_ALIAS',
      position: at(4, 11),
    });
  });

  it('refuses an alias inside the value that it names', () => {
    expect(firstProblem(`${HEADER}playbook: p\nmeta: &m {self: *m}`)).toMatchObject({
      stage: 'parse',
      code: 'SKILL_ALIAS',
    });
    expect(firstProblem(`${HEADER}playbook: p\nmeta: &m {list: &l [1, [*l]]}`)).toMatchObject({
      code: 'SKILL_ALIAS',
    });
  });
});

describe('how files are written', () => {
  it('reads past a byte order mark, and counts columns after it', () => {
    expect(loadSkill(`\uFEFF${HEADER}playbook: p`).skill?.name).toBe('kiln');
    expect(
      firstProblem('\uFEFFname: Kiln\nskill_engine_version: 2.5.0\ndescription: d\nplaybook: p'),
    ).toMatchObject({
      position: at(1, 1),
    });
  });

  it('reads CRLF files, and counts their lines', () => {
    const text = `${HEADER}playbook: |\n  one\n  two\n`.replaceAll('\n', '\r\n');
    expect(loadSkill(text).skill?.playbook).toBe('one\ntwo\n');
    expect(firstProblem(`${HEADER}mode: x\nplaybook: p`.replaceAll('\n', '\r\n'))).toMatchObject({
      position: at(4, 1),
    });
  });

  it.each([
    ['|', 'one\ntwo'],
    ['|+', 'one\ntwo'],
    ['|-', 'one\ntwo'],
    ['>', 'one two'],
  ])('adds no line break to a block text %s that ends with the file', (mark, playbook) => {
    expect(loadSkill(`${HEADER}playbook: ${mark}\n  one\n  two`).skill?.playbook).toBe(playbook);
  });

  it('reads a directive, a document start and a document end', () => {
    expect(loadSkill(`%YAML 1.2\n---\n${HEADER}playbook: p\n...\n# the end\n`).skill?.name).toBe('kiln');
  });

  it('takes tagged scalars at their word', () => {
    const { meta } =
      loadSkill(`${HEADER}playbook: p\nmeta: {a: !!str 1, b: !!int "2", c: !mine 3, d: !!binary aGk=}`)
        .skill ?? {};
    expect(meta).toEqual({ a: '1', b: 2, c: '3', d: 'aGk=' });
  });
});
