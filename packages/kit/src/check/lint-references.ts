import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isErrno } from '@skillyard/processes';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';
import { promptSourceOf } from './prompt-source.ts';

/** A prompt that holds a longer text costs more than it tells. */
const MAX_REFERENCE_BYTES = 8 * 1024;

/** Files of `references/` that no prompt loads. Topics are for those who ask; a file for them alone is told of, too. */
export function lintOrphans(definition: SkillDefinition, rootDir: string): KitDiagnostic[] {
  const sources = Object.values(definition.steps).map((step) => promptSourceOf(step).whole);
  const topics = Object.values(definition.topics ?? {}).map((topic) => topic.content.toString());
  return referenceFiles(rootDir)
    .filter((file) => !sources.some((source) => source.includes(file)))
    .map((file) => ({
      rule: 'orphan-references',
      severity: 'warning',
      file: `references/${file}`,
      message: topics.some((source) => source.includes(file))
        ? `no step loads "${file}"; only a topic does`
        : `no step loads "${file}"`,
    }));
}

export function lintSizes(rootDir: string): KitDiagnostic[] {
  return referenceFiles(rootDir).flatMap((file) => {
    const bytes = statSync(join(rootDir, 'references', file)).size;
    if (bytes <= MAX_REFERENCE_BYTES) return [];
    return [
      {
        rule: 'reference-size',
        severity: 'warning',
        file: `references/${file}`,
        message: `"${file}" has ${bytes} bytes, more than 8 KiB; split it, or load a part of it where it is wanted`,
      },
    ];
  });
}

function referenceFiles(rootDir: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(rootDir, 'references'), { withFileTypes: true });
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .toSorted();
}
