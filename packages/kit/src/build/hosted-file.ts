import type { SkillDefinition } from '../definition/skill-definition.ts';

/** The format of skill files that knows code. */
const FORMAT = '2.5.0';

/**
 * The text of `skill.yaml`: by it the platform knows the skill, and that its turns are decided by the bundle.
 * @param description what SKILL.md says of the skill
 */
export function hostedFile(
  definition: SkillDefinition,
  description: string,
  bundle: { readonly file: string; readonly sha256: string },
): string {
  const { name, version, hosted } = definition;
  // A tool may be named with its server, `files:read`.
  const servers = [...new Set((hosted?.tools ?? []).map((tool) => tool.replace(/:.*$/s, '')))];
  const limits = Object.entries(hosted?.limits ?? {});
  // JSON is YAML: texts are quoted as JSON quotes them.
  const lines = [
    '# Written by `skillyard-kit build`: the hash must be that of the file, so build again instead of changing it.',
    `skill_engine_version: ${FORMAT}`,
    `skill_version: ${JSON.stringify(version)}`,
    `name: ${JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    ...(servers.length > 0 ? [`servers: ${JSON.stringify(servers)}`] : []),
    'mode: code',
    'code:',
    '  runtime: kit',
    `  file: ${JSON.stringify(bundle.file)}`,
    `  sha256: ${JSON.stringify(bundle.sha256)}`,
    ...(limits.length > 0 ? ['  limits:', ...limits.map(([key, value]) => `    ${key}: ${value}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}
