import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { FolderResources } from './folder-resources.ts';
import type { FoundSkill } from './found-skill.ts';
import { codeOf, isMissing } from './inside-folder.ts';
import { LIMITS } from './limits.ts';
import { hasUtf8Name, listFolder } from './list-folder.ts';
import type { SearchReport } from './search-report.ts';
import { openSkillFolder, SKILL_FILE } from './skill-file.ts';
import type { SkillProblem } from './skill-problem.ts';

/** Folders opened at once: enough to keep the system busy, few enough to leave file handles to others. */
const AT_ONCE = 16;
/** Big folders that are never one of an agent or of a skill. */
const IGNORED = new Set(['.git', 'node_modules']);

/** A folder that is looked through. */
interface Place {
  readonly path: string;
  /** For people. */
  readonly shown: string;
  readonly agent: string | null;
  /** The folders around it as far as they were looked through, without links in them. */
  readonly around: readonly string[];
}

/**
 * Finds the skills of a folder: its direct children that hold a `SKILL.md`, and those of the agent folders in it, whose
 * names begin with a dot.
 * @param path absolute; a folder that is not there holds no skills
 * @param shown the folder, for people
 * @param isDisabled whether the folder of an agent is left out
 * @returns in the order in which later ones win
 * @throws SkillyardError FILE_UNREADABLE when it is no folder
 */
export async function searchFolder(
  path: string,
  shown: string,
  isDisabled: (agent: string) => boolean,
  report: SearchReport,
): Promise<FoundSkill[]> {
  const found: FoundSkill[] = [];
  await searchPlace({ path, shown, agent: null, around: [] }, isDisabled, report, found);
  return found;
}

async function searchPlace(
  place: Place,
  isDisabled: (agent: string) => boolean,
  report: SearchReport,
  found: FoundSkill[],
): Promise<void> {
  const opened = await openPlace(place, report);
  if (opened === null) return;
  const { entries, real } = opened;
  const around = [...place.around, real];
  const skills = await findSkills(
    entries.filter((entry) => !isAgentFolder(entry)),
    place,
    report,
  );
  for (const entry of entries) {
    const skill = skills.get(entry.name);
    if (skill !== undefined) found.push(skill);
    const agent = entry.name.slice(1);
    if (!isAgentFolder(entry) || isDisabled(agent)) continue;
    const inner = { path: join(place.path, entry.name), shown: join(place.shown, entry.name), agent, around };
    await searchPlace(inner, isDisabled, report, found);
  }
}

async function openPlace(
  place: Place,
  report: SearchReport,
): Promise<{ readonly entries: readonly Dirent[]; readonly real: string } | null> {
  const { path, shown, around } = place;
  const refuse = (problem: SkillProblem): null => {
    report.add(problem, shown);
    return null;
  };
  try {
    const real = await realpath(path);
    if (around.includes(real)) return refuse(LOOP);
    if (around.length > LIMITS.agentDepth) return refuse(TOO_DEEP);
    const entries = await listFolder(real, Math.min(LIMITS.folderEntries, report.entriesLeft));
    if (entries === undefined) return refuse(TOO_LARGE);
    report.countEntries(entries.length);
    return { entries: entries.filter((entry) => isCandidate(entry, shown, report)), real };
  } catch (error) {
    if (SkillyardError.is(error)) throw error;
    // What a search path names has to be a folder; anything else with a dot in front is just no folder of an agent.
    if (codeOf(error) === 'ENOTDIR' && around.length === 0) throw notFolder(shown);
    if (isMissing(error)) return null;
    return refuse(codeOf(error) === 'ELOOP' ? LOOP : UNREADABLE);
  }
}

function isCandidate(entry: Dirent, shown: string, report: SearchReport): boolean {
  if (!entry.isDirectory() && !entry.isSymbolicLink()) return false;
  if (IGNORED.has(entry.name)) return false;
  if (hasUtf8Name(entry.name)) return true;
  const message = 'the folder is skipped: its name is not UTF-8';
  const problem = { code: 'ENTRY_NAME', severity: 'warning', message, hint: 'rename it' } as const;
  report.add(problem, join(shown, entry.name));
  return false;
}

function isAgentFolder({ name }: Dirent): boolean {
  return name.startsWith('.');
}

/**
 * Opens skill folders, several side by side.
 * @returns the skills by the names of their folders
 */
async function findSkills(
  entries: readonly Dirent[],
  place: Place,
  report: SearchReport,
): Promise<ReadonlyMap<string, FoundSkill>> {
  const skills = new Map<string, FoundSkill>();
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = entries.slice(start, start + AT_ONCE);
    const opened = await Promise.all(some.map((entry) => findSkill(entry, place, report)));
    // Counted in the order of the names: which of them are left out must not hang on which was read first.
    for (const skill of opened) {
      if (skill === null) continue;
      const { folder, text } = skill;
      skills.set(folder, { ...skill, text: typeof text === 'string' ? report.keepSkill(text) : text });
    }
  }
  return skills;
}

async function findSkill({ name }: Dirent, place: Place, report: SearchReport): Promise<FoundSkill | null> {
  const bytesLeft = report.skillBytesLeft;
  const opened = await openSkillFolder(join(place.path, name), SKILL_FILE, bytesLeft);
  if (opened === null) return null;
  const { root, text } = opened;
  const shown = join(place.shown, name);
  const hasNoRoom =
    typeof text !== 'string' && text.code === 'SKILL_FILE_TOO_LARGE' && bytesLeft < LIMITS.skillBytes;
  return {
    folder: name,
    agent: place.agent,
    location: place.agent === null ? `/${name}` : `/.${place.agent}/${name}`,
    file: join(shown, SKILL_FILE),
    text: hasNoRoom ? report.noRoom() : text,
    resources: new FolderResources(root, shown),
  };
}

const LOOP: SkillProblem = {
  code: 'FOLDER_LOOP',
  severity: 'warning',
  message: 'the link leads back to a folder around it and is not followed',
  hint: 'remove the link',
};
const TOO_DEEP: SkillProblem = {
  code: 'FOLDER_TOO_DEEP',
  severity: 'error',
  message: `agent folders inside agent folders are looked through ${LIMITS.agentDepth} deep`,
  hint: 'move the folder up',
};
const TOO_LARGE: SkillProblem = {
  code: 'FOLDER_TOO_LARGE',
  severity: 'error',
  message: `the folder is skipped: more than ${LIMITS.folderEntries} entries in it, or ${LIMITS.totalEntries} in all search paths`,
  hint: 'name a folder that holds skills only',
};
const UNREADABLE: SkillProblem = {
  code: 'FOLDER_UNREADABLE',
  severity: 'error',
  message: 'the folder cannot be listed',
  hint: 'check its permissions',
};

function notFolder(shown: string): SkillyardError {
  const message = `${shown} is neither a folder nor an archive (.tar, .tar.gz): check the path`;
  return new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown } });
}
