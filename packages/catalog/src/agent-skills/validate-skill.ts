import { isAlias, isMap, isNode, isScalar, type Node, type Scalar, visit, type YAMLMap } from 'yaml';
import { splitFrontMatter } from './front-matter.ts';
import { entriesOf, readYamlMap, sourceText, type YamlMap } from './read-yaml-map.ts';
import type { SkillProblem, SkillProblemCode } from './skill-problem.ts';
import { lengthProblems, nameProblems } from './standard-rules.ts';

const FIELDS = ['name', 'description', 'license', 'compatibility', 'allowed-tools', 'metadata'];
/** Read by this loader, but no fields of the standard. */
const OWN_FIELDS = new Set(['agents', 'tags']);

/**
 * Holds a `SKILL.md` against the open standard (its specification, and the verdicts of its reference validator). What the
 * text forbids and the reference validator takes is a warning: other tools may not take it.
 * @param text of the file
 * @param folder that it stands in
 * @returns nothing when all is well; the skill is valid when there is no error among them
 */
export function validateSkill(text: string, folder: string): SkillProblem[] {
  const { frontMatter } = splitFrontMatter(text);
  if (frontMatter === null) {
    const message = text.startsWith('---')
      ? 'the front matter is not closed'
      : 'the file does not begin with front matter';
    const hint = 'begin the file with ---, write the fields, and close them by a line --- of its own';
    return [problem('FRONT_MATTER_MISSING', 'error', message, hint)];
  }
  const yaml = readYamlMap(frontMatter);
  if ('code' in yaml) return [yaml];
  const subset = outsideSubset(yaml);
  if (subset !== null) return [subset];
  return new Validation(yaml, folder).problems();
}

/** One front matter under examination. */
class Validation {
  readonly #yaml: YamlMap;
  readonly #folder: string;
  readonly #entries: ReadonlyMap<string, { readonly keyNode: Scalar; readonly value: Node | null }>;
  readonly #found: SkillProblem[] = [];

  constructor(yaml: YamlMap, folder: string) {
    this.#yaml = yaml;
    this.#folder = folder;
    this.#entries = new Map([...entriesOf(yaml.map)].map((entry) => [entry.key, entry]));
  }

  problems(): SkillProblem[] {
    for (const key of this.#entries.keys()) if (!FIELDS.includes(key)) this.#unknown(key);
    const name = this.#text('name');
    if (name?.trim() === '') {
      this.#say('SKILL_NAME_MISSING', 'error', 'name', 'there is no name', `write \`name: ${this.#folder}\``);
    } else if (name !== undefined) {
      this.#found.push(...nameProblems(name.trim(), this.#folder).map((one) => this.#placed(one, 'name')));
    }
    const description = this.#text('description');
    if (description?.trim() === '') {
      const hint = 'write what the skill does and when to use it';
      this.#say('SKILL_DESCRIPTION_MISSING', 'error', 'description', 'there is no description', hint);
    }
    this.#text('license');
    const compatibility = this.#text('compatibility');
    if (this.#entries.has('compatibility') && compatibility === '') {
      const message = 'compatibility is empty, which not every tool takes';
      this.#say(
        'SKILL_FIELD_LENGTH',
        'warning',
        'compatibility',
        message,
        'write 1 to 500 characters, or leave it out',
      );
    }
    this.#found.push(
      ...lengthProblems({ description: description ?? '', compatibility: compatibility ?? '' }),
    );
    this.#allowedTools();
    this.#metadata();
    return this.#found;
  }

  #unknown(key: string): void {
    const own = OWN_FIELDS.has(key) ? ', though this loader reads it' : '';
    const message = `"${key}" is no field of the standard${own}`;
    const hint = `put it under \`metadata:\`, or remove it; the fields are ${FIELDS.join(', ')}`;
    this.#say('FRONT_MATTER_FIELD_UNKNOWN', 'error', key, message, hint);
  }

  /** @returns undefined when the field is no text, which is said then; `''` when it is not there */
  #text(field: string): string | undefined {
    const value = this.#entries.get(field)?.value ?? null;
    if (value === null) return '';
    if (isScalar(value)) return value.value === null ? '' : sourceText(value);
    this.#say('FRONT_MATTER_FIELD_TYPE', 'error', field, `${field} is no text`, 'write one text');
    return undefined;
  }

  #allowedTools(): void {
    const value = this.#entries.get('allowed-tools')?.value ?? null;
    if (value === null || isScalar(value)) return;
    const message = 'allowed-tools is a list, which not every tool takes';
    const hint = 'write one text with blanks between the tools';
    this.#say('FRONT_MATTER_FIELD_TYPE', 'warning', 'allowed-tools', message, hint);
  }

  #metadata(): void {
    const value = this.#entries.get('metadata')?.value ?? null;
    if (value === null) return;
    if (!isMap(value)) {
      const hint = 'write one indented line `key: text` for each';
      this.#say('FRONT_MATTER_FIELD_TYPE', 'error', 'metadata', 'metadata is no mapping', hint);
      return;
    }
    for (const { key, value: inner } of entriesOf(value as YAMLMap<Node, Node | null>)) {
      if (inner === null || isScalar(inner)) continue;
      const message = `metadata.${key} is no text, which not every tool takes`;
      this.#say('FRONT_MATTER_FIELD_TYPE', 'warning', 'metadata', message, 'write one text');
    }
  }

  #say(
    code: SkillProblemCode,
    severity: SkillProblem['severity'],
    field: string,
    message: string,
    hint: string,
  ): void {
    this.#found.push(this.#placed(problem(code, severity, message, hint), field));
  }

  #placed(one: SkillProblem, field: string): SkillProblem {
    const entry = this.#entries.get(field);
    return entry === undefined ? one : { ...one, position: this.#yaml.placeOf(entry.keyNode) };
  }
}

/** The standard is read by tools that know a part of YAML only: no flow style, no anchors, no tags. */
function outsideSubset(yaml: YamlMap): SkillProblem | null {
  let found: SkillProblem | null = null;
  visit(yaml.document, (_, node) => {
    if (!isNode(node)) return undefined;
    const what = subsetProblem(node);
    if (what === undefined) return undefined;
    const message = `the front matter has ${what}, which tools of the standard do not read`;
    found = {
      ...problem('FRONT_MATTER_SUBSET', 'error', message, 'write plain lines `key: text`'),
      position: yaml.placeOf(node),
    };
    return visit.BREAK;
  });
  return found;
}

function subsetProblem(node: Node): string | undefined {
  if (isAlias(node) || ('anchor' in node && node.anchor !== undefined)) return 'an anchor or alias';
  if ('flow' in node && node.flow) return 'a list or mapping in brackets';
  // Only a tag that was written is known to the node.
  return node.tag === undefined ? undefined : 'a tag';
}

function problem(
  code: SkillProblemCode,
  severity: SkillProblem['severity'],
  message: string,
  hint: string,
): SkillProblem {
  return { code, severity, message, hint };
}
