import { join } from 'node:path';
import { skillDigest } from '@skillyard/program/supervisor';
import type { Workplace } from './cli-process.ts';

/** What a program of a test imports, so that it runs with nothing beside it. */
export const SDK = new URL('../../program/dist/index.js', import.meta.url).href;

/** Lays a program into a folder of its own, with what the platform knows it by. */
export async function deployProgram(
  place: Workplace,
  folder: string,
  program: { readonly name: string; readonly source: string },
): Promise<void> {
  const { name, source } = program;
  const description = 'For a test.';
  const manifest = { version: 1, yield_version: '0.2.0', run: ['node', 'main.mjs'] };
  await place.write({
    [join(folder, 'main.mjs')]: source,
    [join(folder, 'SKILL.md')]: `---\nname: ${name}\ndescription: ${description}\n---\n`,
    [join(folder, 'skill.json')]: JSON.stringify(manifest),
  });
  const sha256 = (await skillDigest(join(place.folder, folder))).replace('sha256:', '');
  const code = { runtime: 'program', file: 'skill.json', sha256 };
  const header = { skill_engine_version: '2.5.0', name, description, mode: 'code', code };
  await place.write({ [join(folder, 'skill.yaml')]: JSON.stringify(header) });
}
