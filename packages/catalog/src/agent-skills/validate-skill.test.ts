import { expect, it } from 'vitest';
import { validateSkill } from './validate-skill.ts';

const GOOD = 'name: kit\ndescription: Does it.\n';

it.each<[string, string, string[]]>([
  ['nothing', GOOD, []],
  ['an anchor', `${GOOD}license: &l MIT\n`, ['error FRONT_MATTER_SUBSET']],
  ['a tag', `${GOOD}license: !!str MIT\n`, ['error FRONT_MATTER_SUBSET']],
  ['a mapping in brackets', `${GOOD}metadata: {a: b}\n`, ['error FRONT_MATTER_SUBSET']],
  ['a key twice', `${GOOD}license: a\nlicense: b\n`, ['error FRONT_MATTER_DUPLICATE_KEY']],
  ['a list for a text', `${GOOD}license:\n  - MIT\n`, ['error FRONT_MATTER_FIELD_TYPE']],
  ['a text for the metadata', `${GOOD}metadata: x\n`, ['error FRONT_MATTER_FIELD_TYPE']],
  ['a list of tools', `${GOOD}allowed-tools:\n  - Read\n`, ['warning FRONT_MATTER_FIELD_TYPE']],
  ['nested metadata', `${GOOD}metadata:\n  a:\n    b: c\n`, ['warning FRONT_MATTER_FIELD_TYPE']],
  ['an empty compatibility', `${GOOD}compatibility: ''\n`, ['warning SKILL_FIELD_LENGTH']],
  [
    'unknown fields',
    `${GOOD}tags: a\nversion: 1\n`,
    ['error FRONT_MATTER_FIELD_UNKNOWN', 'error FRONT_MATTER_FIELD_UNKNOWN'],
  ],
  ['nothing in it', '', ['error FRONT_MATTER_YAML']],
  [
    'neither name nor description',
    'license: MIT\n',
    ['error SKILL_NAME_MISSING', 'error SKILL_DESCRIPTION_MISSING'],
  ],
  [
    'a name with everything wrong',
    'name: -A--é_\ndescription: d\n',
    [
      'error SKILL_NAME_RULES',
      'error SKILL_NAME_RULES',
      'error SKILL_NAME_RULES',
      'error SKILL_NAME_RULES',
      'error SKILL_NAME_FOLDER',
    ],
  ],
])('front matter with %s', (_, frontMatter, expected) => {
  const found = validateSkill(`---\n${frontMatter}---\nBody.\n`, 'kit');
  expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
});

it('lengths are counted in characters, and names in their composed form', () => {
  const text = (name: string, description: string): string =>
    `---\nname: ${name}\ndescription: ${description}\n---\n`;
  expect(validateSkill(text('kit', '\u{1f600}'.repeat(1024)), 'kit')).toEqual([]);
  expect(validateSkill(text('kit', '\u{1f600}'.repeat(1025)), 'kit')).toMatchObject([
    { code: 'SKILL_FIELD_LENGTH' },
  ]);
  expect(validateSkill(text('cafe\u0301', 'd'), 'caf\u00e9')).toMatchObject([
    { severity: 'warning', code: 'SKILL_NAME_PORTABLE' },
  ]);
});

it('says where', () => {
  expect(validateSkill('---\nname: kit\ndescription: d\nversion: 1\n---\n', 'kit')).toMatchObject([
    { position: { line: 4, column: 1 } },
  ]);
});
