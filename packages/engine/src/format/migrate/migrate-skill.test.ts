import { describe, expect, it } from 'vitest';
import { migrateSkill } from './migrate-skill.ts';

const migrated = (text: string): string | undefined => {
  const result = migrateSkill(text);
  return result.ok ? result.text : undefined;
};

function refusal(text: string): object | undefined {
  const result = migrateSkill(text, { file: 'kiln.yaml' });
  return result.ok ? undefined : result.diagnostics[0];
}

describe('migrateSkill', () => {
  it('says what it changed, why, and on which line it stood', () => {
    const result = migrateSkill(
      'name: kiln\nskill_engine_version: v1.2.0\nassets:\n  curve:\n    lang: lua\n    content: x\n',
    );
    expect(result).toMatchObject({
      ok: true,
      changes: [
        {
          position: { line: 2, column: 23 },
          message: '`skill_engine_version` is raised from v1.2.0 to 2.0.0',
        },
        {
          position: { line: 5, column: 5 },
          message: 'asset "curve": `lang` is moved under `params`, where format 2 reads it',
        },
      ],
    });
  });

  it.each([
    [
      'without a value',
      'skill_engine_version: # none\nname: a\n',
      'skill_engine_version: "2.0.0" # none\nname: a\n',
    ],
    ['that is null', 'skill_engine_version: ~ # none\n', 'skill_engine_version: "2.0.0" # none\n'],
    ['in empty quotes', "skill_engine_version: ''\n", "skill_engine_version: '2.0.0'\n"],
    ['with blanks in its quotes', 'skill_engine_version: " v1.0.0 "\n', 'skill_engine_version: " 2.0.0 "\n'],
    ['in a block', 'skill_engine_version: |-\n  1.0.0\n', 'skill_engine_version: |-\n  2.0.0\n'],
    ['with an anchor', 'skill_engine_version: &v 1.0.0\n', 'skill_engine_version: &v 2.0.0\n'],
    ['without a colon', '{skill_engine_version, name: a}\n', '{skill_engine_version: "2.0.0", name: a}\n'],
    [
      'by an alias',
      'meta: {v: &v 1.0.0}\nskill_engine_version: *v\n',
      'meta: {v: &v 1.0.0}\nskill_engine_version: "2.0.0"\n',
    ],
    ['of major 0', 'skill_engine_version: 0.9.1\n', 'skill_engine_version: 2.0.0\n'],
  ])('replaces a version %s', (_, before, after) => expect(migrated(before)).toBe(after));

  it.each([
    ['an empty file', '', 'skill_engine_version: "2.0.0"\n'],
    ['a comment without a line end', '# c', 'skill_engine_version: "2.0.0"\n# c'],
    ['a document start without a line end', '---', '---\nskill_engine_version: "2.0.0"'],
    ['a document start and a comment', '---\r\n# c\r\n', '---\r\nskill_engine_version: "2.0.0"\r\n# c\r\n'],
    [
      'an indented root',
      '\n  name: a\n  mode: b\n',
      '\n  skill_engine_version: "2.0.0"\n  name: a\n  mode: b\n',
    ],
    ['a byte order mark', '\uFEFFname: a\n', '\uFEFFskill_engine_version: "2.0.0"\nname: a\n'],
    ['a directive', '%YAML 1.2\n---\nname: a\n', '%YAML 1.2\n---\nskill_engine_version: "2.0.0"\nname: a\n'],
    ['one line without an end', 'name: a', 'skill_engine_version: "2.0.0"\nname: a'],
    ['a tag of the root', '!!map\nname: a\n', '!!map\nskill_engine_version: "2.0.0"\nname: a\n'],
  ])('adds a version to %s', (_, before, after) => expect(migrated(before)).toBe(after));

  it.each([
    ['with an anchor of the key', '    &l lang: lua # c', '    params:\n      &l lang: lua # c'],
    ['that is a list on one line', '    lang: [lua, sh]', '    params:\n      lang: [lua, sh]'],
    ['at the end of the file', '    lang: lua', '    params:\n      lang: lua'],
  ])('moves a lang %s', (_, before, after) => {
    const head = 'skill_engine_version: 1.0.0\nassets:\n  a:\n    ref: x\n';
    expect(migrated(head + before)).toBe(head.replace('1.0.0', '2.0.0') + after);
  });

  it('moves the lang of an asset that has the name of its mapping', () => {
    expect(migrated('skill_engine_version: 1.0.0\nassets:\n  assets:\n    lang: {lang: x}\n')).toBe(
      'skill_engine_version: 2.0.0\nassets:\n  assets:\n    params:\n      lang: {params: {lang: x}}\n',
    );
  });

  const ASSET = 'skill_engine_version: 1.0.0\nassets:\n  curve:\n';
  it.each([
    ['a lang on two lines', `${ASSET}    lang:\n      lua\n`, 4, /"curve".*not on one line/],
    ['a lang in a block', `${ASSET}    lang: |\n      lua\n`, 4, /"curve".*not on one line/],
    ['a lang behind a question mark', `${ASSET}    ? lang\n    : lua\n`, 4, /"curve".*not on one line/],
    [
      'a lang that shares its line',
      'skill_engine_version: 1.0.0\nassets:\n  ? curve\n  : lang: lua\n',
      4,
      /"curve".*shares its line/,
    ],
    [
      'an asset that is an alias',
      `base: &b {lang: lua}\n${ASSET.replace('curve:', 'curve: *b')}`,
      4,
      /"curve".*alias/,
    ],
    ['assets that are an alias', 'base: &b {curve: {lang: lua}}\nassets: *b\n', 1, /"curve".*alias/],
    ['a lang merged in place', `${ASSET}    <<: {lang: lua}\n`, 3, /"curve".*merge key/],
    [
      'params that are merged',
      `base: &b {params: {x: 1}}\n${ASSET}    <<: *b\n    lang: lua\n`,
      6,
      /"curve".*both/,
    ],
    [
      'a version that is repeated',
      'skill_engine_version: &v 1.0.0\nskill_version: *v\n',
      1,
      /would change more/,
    ],
    [
      'an asset that is repeated elsewhere',
      `${ASSET.replace('curve:', 'curve: &c')}    lang: lua\nother: *c\n`,
      4,
      /would change more/,
    ],
    ['a version that is a list', 'skill_engine_version: [1]\n', 1, /no version/],
    ['a root that is null', 'null\n', 1, /no place/],
    ['a duplicate key', 'name: a\nname: b\n', 2, /twice/],
    ['an endless number', `skill_engine_version: ${'9'.repeat(5000)}.0.0\n`, 1, /knows formats up to/],
  ])('leaves %s alone and says where', (_, text, line, message) => {
    const diagnostic = refusal(text);
    expect(diagnostic).toMatchObject({ file: 'kiln.yaml', position: { line } });
    expect(diagnostic).toMatchObject({ message: expect.stringMatching(message) as string });
  });
});
