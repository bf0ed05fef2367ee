import type { Located } from './field.ts';
import { walkRaw } from './raw-nesting.ts';
import type { Report } from './report.ts';
import { isNullScalar } from './scalar.ts';
import { type RawSkill, SOURCES } from './shapes.ts';

/**
 * Refuses what came with format 2.5.0 in a file that declares an older version (spec section 17). An older engine
 * would take such a key for an unknown one and run the skill without it.
 */
export function refuseAdditions(skill: RawSkill, report: Report): void {
  const refuse = (block: Located | null, key: string, prefix = ''): void =>
    refuseKey({ block, key, field: prefix + key, declared: skill.skill_engine_version }, report);

  for (const key of Object.keys(SOURCES)) refuse(skill, key);
  refuse(skill, 'code');
  refuse(skill.workflow, 'limits', 'workflow.');
  for (const step of walkRaw(skill.workflow?.steps ?? [])) {
    refuse(step, 'ask');
    refuse(step.for_each, 'concurrency', 'for_each.');
    refuse(step.call, 'timeout', 'call.');
    refuse(step.delegate, 'timeout', 'delegate.');
    // Beside any other kind it is a key like those nobody knows: it does nothing.
    if (step.instruction !== '' || step.call || step.delegate || step.ask) refuse(step, 'timeout');
  }
}

interface Use {
  readonly block: Located | null;
  readonly key: string;
  /** The key as a message names it. */
  readonly field: string;
  readonly declared: string;
}

function refuseKey({ block, key, field, declared }: Use, report: Report): void {
  const entry = block?.node.entries.get(key);
  if (!block || !entry || (entry.value.kind === 'text' && isNullScalar(entry.value))) return;
  const { step, label } = block.place;
  report.add({
    code: 'FIELD_NEEDS_VERSION',
    message: `\`${field}\`${label === '' ? '' : ` in ${label}`} needs format 2.5.0, and the file declares ${declared}.`,
    hint: 'Write skill_engine_version: "2.5.0".',
    offset: entry.keyOffset,
    ...(step === '' ? {} : { step }),
  });
}
