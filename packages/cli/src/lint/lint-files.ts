import { dirname, resolve } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { type Finding, lintSkill } from '@skillyard/lint';
import { linterFacts, linterOptions } from '@skillyard/runtime';
import type { ConfigsBeside } from '../commands/configs-beside.ts';
import { readSkillText } from '../skill/read-skill.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Installations } from './installation.ts';

/** What was found in one file. */
export interface FileReport {
  readonly file: string;
  readonly findings: readonly Finding[];
  /** Rules that had work and did not run, because nobody said what they need to know. */
  readonly skipped: readonly string[];
  /** Why the file could not be looked at. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Lints one file. One that cannot be looked at is reported as such: that is no reason to say nothing of the others. */
export async function lintFile(
  file: string,
  surroundings: Surroundings,
  { configs, installations }: { readonly configs: ConfigsBeside; readonly installations: Installations },
): Promise<FileReport> {
  const { cwd } = surroundings;
  try {
    const text = await readSkillText(file, cwd);
    const folder = dirname(resolve(cwd, file));
    const loaded = await configs.beside(folder);
    const facts = await installations.facts(loaded, folder);
    const options = linterOptions(loaded.config.lint ?? {});
    const { findings, skipped } = lintSkill(text, { file, facts: linterFacts(facts), options });
    return { file, findings, skipped };
  } catch (error) {
    if (!SkillyardError.is(error) || error.code === 'TURN_CANCELLED') throw error;
    return { file, findings: [], skipped: [], problem: { code: error.code, message: error.message } };
  }
}
