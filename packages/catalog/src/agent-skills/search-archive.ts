import { ArchiveResources } from './archive-resources.ts';
import { compareBytes } from './byte-order.ts';
import type { FoundSkill } from './found-skill.ts';
import { readArchive } from './read-archive.ts';
import type { SearchReport } from './search-report.ts';
import { decodeSkill, SKILL_FILE } from './skill-file.ts';

/**
 * Finds the skills of an archive, at any depth. The folder around that of the skill is its agent, with or without a dot
 * in front.
 * @param path absolute
 * @param shown the archive, for people
 * @returns in the order of the paths of their `SKILL.md`
 * @throws SkillyardError as {@link readArchive} does
 */
export async function searchArchive(
  path: string,
  shown: string,
  report: SearchReport,
): Promise<FoundSkill[]> {
  const files = await readArchive(path, shown, report);
  const paths = [...files.keys()].toSorted(compareBytes);
  const found: FoundSkill[] = [];
  for (const skillPath of paths) {
    const parts = skillPath.split('/').filter((part) => part !== '');
    if (parts.at(-1) !== SKILL_FILE || parts.length < 2) continue;
    const [folder = '', around] = parts.slice(0, -1).toReversed();
    const base = skillPath.slice(0, -SKILL_FILE.length);
    const text = decodeSkill(files.get(skillPath) ?? new Uint8Array());
    found.push({
      folder,
      agent: around === undefined ? null : around.replace(/^\./, ''),
      location: `/${base.slice(0, -1)}`,
      file: `${shown}!/${skillPath}`,
      text: typeof text === 'string' ? report.keepSkill(text) : text,
      resources: new ArchiveResources({ contents: files, paths }, base, `${shown}!/${base}`),
    });
  }
  return found;
}
