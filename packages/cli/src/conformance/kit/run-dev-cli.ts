import process from 'node:process';
import { join } from 'node:path';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { describeStderr } from './describe-stderr.ts';
import { judge, type KitFolder } from './kit-folder.ts';
import { outlineOf } from './run-cli-transcript.ts';
import { runProcess } from '../run-process.ts';

interface RecordedCommand {
  readonly argv: readonly string[];
  readonly comment?: string;
  readonly exit_code: number;
  /** As data where it is JSON. */
  readonly stdout: unknown;
  readonly stderr: unknown;
}

/** Runs the recorded commands of the kit's own command line. */
export async function runDevCli(recording: unknown, name: string, folder: KitFolder): Promise<CaseResult[]> {
  const { workspace } = folder;
  const bin = join(workspace.kit, 'dist/bin.js');
  const results: CaseResult[] = [];
  for (const [index, command] of (recording as readonly RecordedCommand[]).entries()) {
    const { argv, comment, exit_code, stderr, stdout } = command;
    const ended = await runProcess(process.execPath, [bin, ...argv], workspace.dir);
    const actual = {
      exit_code: ended.exit,
      stdout: isRecord(stdout) ? parsed(ended.stdout) : ended.stdout,
      stderr: describeStderr(stderr, ended.stderr),
    };
    const recorded = { exit_code, stdout, stderr };
    const entry = {
      name,
      entry: String(index),
      title: `${comment ?? ''}: ${argv.join(' ')}`,
      tags: folder.tags.of(name),
    };
    results.push(
      judge(entry, {
        recorded,
        actual,
        outlines: { recorded: outlineOf(recorded), actual: outlineOf(actual) },
      }),
    );
  }
  return results;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
