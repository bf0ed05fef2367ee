import type { SkillDefinition } from '../definition/skill-definition.ts';
import { askedToolNames, hostToolNamesIn, isKnownTool } from './host-tool-names.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';
import { promptSourceOf } from './prompt-source.ts';

/** Tools of one host in prose that every host reads. A prompt that asks whether the host has the tool may name it. */
export function lintHostNames({ steps }: SkillDefinition): KitDiagnostic[] {
  return Object.entries(steps).flatMap(([step, config]) => {
    const { prose, whole } = promptSourceOf(config);
    const asked = new Set(askedToolNames(whole));
    return hostToolNamesIn(prose)
      .filter((name) => !asked.has(name))
      .map((name) => ({
        rule: 'no-host-tool-names' as const,
        severity: 'error' as const,
        step,
        message: `the prompt of step "${step}" names "${name}", a tool that only some hosts have; write what is wanted with act, or ask host.toolsAvailable first`,
      }));
  });
}

/** Many prompts that differ by host are a sign that a directive is missing. */
export function lintHostBranching({ steps }: SkillDefinition): KitDiagnostic[] {
  const branching = Object.values(steps).filter(
    (config) => askedToolNames(promptSourceOf(config).whole).length > 0,
  );
  if (branching.length < 2) return [];
  return [
    {
      rule: 'host-branching-density',
      severity: 'warning',
      message: `${branching.length} steps ask which tools the host has; directives of act differ by host on their own`,
    },
  ];
}

/** A misspelt name is never available, and nobody would notice. */
export function lintAskedNames({ steps }: SkillDefinition): KitDiagnostic[] {
  return Object.entries(steps).flatMap(([step, config]) =>
    askedToolNames(promptSourceOf(config).whole)
      .filter((name) => !isKnownTool(name))
      .map((name) => ({
        rule: 'unknown-tool-names' as const,
        severity: 'warning' as const,
        step,
        message: `step "${step}" asks for the tool "${name}", which no known host has`,
      })),
  );
}

/** A slash divides a sub-skill from its step, on every command line. */
export function lintStepNames({ steps }: SkillDefinition): KitDiagnostic[] {
  return Object.keys(steps)
    .filter((step) => step.includes('/'))
    .map((step) => ({
      rule: 'composite-step-name',
      severity: 'error',
      step,
      message: `the name of step "${step}" holds a "/", which stands between a sub-skill and its step`,
    }));
}
