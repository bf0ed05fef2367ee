import type { HostedSettings } from '../hosted/hosted-settings.ts';
import type { SkillMetadata } from '../skill/skill-metadata.ts';

/** The format of skill files that knows programs. */
const FORMAT = '2.5.0';

/** How a description of ours begins: no other file is replaced. */
export const HOSTED_HEADING = '# Written by `skillyard program build`';

/**
 * The text of `skill.yaml`: by it the platform knows the skill, and that its turns are decided by a program.
 * @param sha256 hex of the digest of the skill
 */
export function hostedFile(
  { name, description }: SkillMetadata,
  hosted: HostedSettings,
  sha256: string,
): string {
  // A tool may be named with its server, `files:read`.
  const servers = [...new Set((hosted.tools ?? []).map((tool) => tool.replace(/:.*$/s, '')))];
  const limits = Object.entries(hosted.limits ?? {});
  // JSON is YAML: texts are quoted as JSON quotes them.
  const lines = [
    `${HOSTED_HEADING}: the hash must be that of the sources, so build again instead of changing it.`,
    `skill_engine_version: ${FORMAT}`,
    `name: ${JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    ...(servers.length > 0 ? [`servers: ${JSON.stringify(servers)}`] : []),
    'mode: code',
    'code:',
    '  runtime: program',
    '  file: skill.json',
    `  sha256: ${JSON.stringify(sha256)}`,
    ...(limits.length > 0 ? ['  limits:', ...limits.map(([key, value]) => `    ${key}: ${value}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The hash that a description names; null when it names none. */
export function hashIn(text: string): string | null {
  return /^ {2}sha256: "?(?<hash>[0-9a-f]{64})"?$/m.exec(text)?.groups?.['hash'] ?? null;
}
