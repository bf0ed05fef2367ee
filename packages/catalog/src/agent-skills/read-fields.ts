import { isAlias, isMap, isScalar, type Node, type Scalar, type YAMLMap } from 'yaml';
import { LIMITS } from './limits.ts';
import { entriesOf, readYamlMap, resolved, sourceText, type YamlMap } from './read-yaml-map.ts';
import type { SkillProblem } from './skill-problem.ts';

/** The fields of the front matter as they were written; absent ones are empty. */
export interface SkillFields {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly compatibility: string;
  readonly 'allowed-tools': string;
  readonly agents: string;
  readonly tags: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const TEXT_FIELDS = [
  'name',
  'description',
  'license',
  'compatibility',
  'allowed-tools',
  'agents',
  'tags',
] as const;
type TextField = (typeof TEXT_FIELDS)[number];

const NOTHING: SkillFields = {
  name: '',
  description: '',
  license: '',
  compatibility: '',
  'allowed-tools': '',
  agents: '',
  tags: '',
  metadata: {},
};

/**
 * Reads the fields of front matter. Every field is a text, `metadata` a mapping of texts; a number or a boolean is the
 * text it was written as, null is nothing, unknown keys are nobody's business.
 * @param text between the fences
 * @returns the fields, or the first thing that makes them unreadable
 */
export function readFields(text: string): SkillFields | SkillProblem {
  // Go reads nothing as no fields; what is missing then is said by whoever needs it.
  if (text.trim() === '') return NOTHING;
  const yaml = readYamlMap(text);
  if ('code' in yaml) return yaml;
  const fields: Record<TextField, string> & { metadata: SkillFields['metadata'] } = { ...NOTHING };
  for (const { key, keyNode, value } of entriesOf(yaml.map)) {
    const node = resolved(value, yaml.document);
    if (isTextField(key)) {
      const one = textOf(node);
      if (one === undefined) return wrongType(key, 'a text', node, yaml, keyNode);
      fields[key] = one;
    } else if (key === 'metadata') {
      const metadata = metadataOf(node, yaml, keyNode);
      if ('code' in metadata) return metadata;
      fields.metadata = metadata.entries;
    }
  }
  return fields;
}

function isTextField(key: string): key is TextField {
  return TEXT_FIELDS.some((field) => field === key);
}

/** @returns undefined for a list or a mapping */
function textOf(node: Node | null): string | undefined {
  if (node === null) return '';
  if (!isScalar(node)) return undefined;
  return node.value === null ? '' : sourceText(node);
}

function metadataOf(
  node: Node | null,
  yaml: YamlMap,
  keyNode: Scalar,
): { readonly entries: Record<string, string> } | SkillProblem {
  if (textOf(node) === '') return { entries: {} };
  if (!isMap(node)) return wrongType('metadata', 'a mapping', node, yaml, keyNode);
  const map = node as YAMLMap<Node, Node | null>;
  if (map.items.length > LIMITS.metadataEntries) {
    const message = `metadata has ${map.items.length} entries; at most ${LIMITS.metadataEntries} are read`;
    const hint = 'move what is not about the skill itself into a file of its folder';
    return {
      code: 'FRONT_MATTER_TOO_LARGE',
      severity: 'error',
      message,
      hint,
      position: yaml.placeOf(keyNode),
    };
  }
  const entries: [string, string][] = [];
  for (const { key, keyNode: inner, value } of entriesOf(map)) {
    const text = textOf(resolved(value, yaml.document));
    if (text === undefined) return wrongType(`metadata.${key}`, 'a text', value, yaml, inner);
    entries.push([key, text]);
  }
  return { entries: Object.fromEntries(entries) };
}

function wrongType(
  field: string,
  wanted: string,
  node: Node | null,
  yaml: YamlMap,
  keyNode: Scalar,
): SkillProblem {
  const hint =
    wanted === 'a text'
      ? `write one text, such as \`${field.split('.').at(-1)}: one two\`; between quotes where it has special characters`
      : 'write one indented line `key: text` for each';
  return {
    code: 'FRONT_MATTER_FIELD_TYPE',
    severity: 'error',
    message: `${field} is ${kindOf(node)}, not ${wanted}`,
    hint,
    position: yaml.placeOf(keyNode),
  };
}

function kindOf(node: Node | null): string {
  if (isAlias(node)) return 'an alias of nothing';
  if (isScalar(node)) return 'a text';
  return isMap(node) ? 'a mapping' : 'a list';
}
