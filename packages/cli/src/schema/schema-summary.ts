import type { SchemaLanguage, SkillSchema } from '@skillyard/contracts';

/** The words of the summary that the schema does not have. */
const WORDS = {
  en: {
    legend:
      'YAML. A value is text unless [list], {map} or a type says otherwise; * is required; -> leads to a block below. {{name}} is a variable.',
    file: 'file',
  },
  ru: {
    legend:
      'YAML. Значение: текст, если не сказано иное ([список], {ключи}, тип); * обязательно; -> блок ниже. {{name}}: переменная.',
    file: 'файл',
  },
} as const;

const NUMBERS: Readonly<Record<string, string>> = { whole: 'int', count: 'int', decimal: 'number' };

/** One key of a block, without its name. */
interface KeyLine {
  readonly names: string[];
  readonly says: string;
}

/**
 * The format on one page, for the prompt of a model that writes skills: of every key its type and the first sentence of
 * its description. Made from the schema, so that it cannot say anything else. Keys with the same text share a line.
 * @returns under 12 KiB of UTF-8 in either language
 */
export function schemaSummary(schema: SkillSchema, language: SchemaLanguage): string {
  const { legend, file } = WORDS[language];
  const blocks = Object.entries(schema.$defs ?? {}).filter(
    ([, { properties, examples, description }]) =>
      description !== undefined && (properties ?? examples) !== undefined,
  );
  return [
    `${schema.title ?? ''}. ${legend}`,
    ...blockLines(file, schema),
    ...blocks.flatMap(([name, block]) => blockLines(name, block)),
    '',
  ].join('\n');
}

function blockLines(name: string, block: SkillSchema): string[] {
  const lines: KeyLine[] = [];
  for (const [key, property] of Object.entries(block.properties ?? {})) {
    const shown = `${key}${block.required?.includes(key) ? '*' : ''}${typeOf(property)}`;
    const says = firstSentence(property.description ?? '');
    const same = lines.find((line) => line.says === says);
    if (same) same.names.push(shown);
    else lines.push({ names: [shown], says });
  }
  const examples = block.examples === undefined ? '' : `: ${block.examples.join(', ')}`;
  return [
    `${name}: ${firstSentence(block.description ?? '')}${examples}`,
    ...lines.map(({ names, says }) => `- ${names.join(', ')}: ${says}`),
  ];
}

/** What a value may be, as short as it is clear; nothing for a text. */
function typeOf(property: SkillSchema): string {
  if (property.$ref !== undefined) return typeOfDefinition(property.$ref.split('/').at(-1) ?? '');
  if (property.items?.$ref !== undefined) return ` [${property.items.$ref.split('/').at(-1)}]`;
  const { additionalProperties: values, type, allOf } = property;
  if (allOf !== undefined) return allOf.map(typeOf).join('');
  if (typeof values === 'object') return ` {${values.$ref?.split('/').at(-1) ?? ''}}`;
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (types.includes('integer')) return ' int';
  return types.includes('boolean') ? ' bool' : '';
}

function typeOfDefinition(name: string): string {
  if (['text', 'filled', 'onError'].includes(name)) return '';
  if (name === 'texts') return ' [text]';
  if (name === 'steps') return ' [step]';
  if (name === 'data') return ' {}';
  return NUMBERS[name] === undefined ? ` -> ${name}` : ` ${NUMBERS[name]}`;
}

/** The first sentence, without its full stop, and the version that introduced the key. */
function firstSentence(description: string): string {
  const sentence = /^.*?(?=\.(?:\s|$))/s.exec(description)?.[0] ?? description;
  const since = / \([0-9.]+\)$/.exec(description)?.[0] ?? '';
  return sentence + since;
}
