import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';
import { runProcess } from '../run-process.ts';

/** Compiles a file of types: each line marked as an error must be one, and no other. */
export async function runTypeAssertions(
  file: string,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const entry = { name, entry: 'tsc', title: 'tsc --strict --noEmit', tags: folder.tags.of(name) };
  const compiler = findCompiler();
  if (compiler === null) return [notRun(entry, 'there is no typescript: run npm install')];
  const { dir } = folder.workspace;
  await copyFile(file, join(dir, basename(file)));
  const argv = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023'];
  argv.push('--module', 'nodenext', '--moduleDetection', 'force', basename(file));
  const { stdout } = await runProcess(process.execPath, [compiler, ...argv], dir);
  return [judge(entry, { recorded: [], actual: stdout.split('\n').filter((line) => line !== '') })];
}

/** It comes with the workspace, not with the command. */
function findCompiler(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    return null;
  }
}
