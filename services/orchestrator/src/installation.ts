import type { Config } from '@skillyard/contracts';
import type { SkillFinder } from '@skillyard/runtime';
import { Policy } from './policy/policy.ts';
import { skillFolders } from './skill-folders.ts';

/** What of the configuration is read from files, once for the turns and for the API of a process. */
export interface Installation {
  readonly policy: Policy;
  /** The skills in folders; closed by whoever opened it. */
  readonly folders: SkillFinder;
}

/** @throws SkillyardError CONFIG_INVALID or FILE_UNREADABLE for the policy */
export async function openInstallation(config: Config): Promise<Installation> {
  return { policy: await Policy.load(config), folders: skillFolders(config.skills ?? []) };
}
