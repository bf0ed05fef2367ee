import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import type { Outline } from './corrections.ts';
import { describeStderr } from './describe-stderr.ts';
import { type KitFolder, judge } from './kit-folder.ts';
import { type Ended, runProcess } from '../run-process.ts';

/** A conversation with the command of a built skill. */
export interface CliTranscript {
  readonly skill: string;
  readonly transport: string;
  readonly calls: readonly CliCall[];
}

interface CliCall {
  readonly argv: readonly string[];
  readonly comment?: string;
  /** What the agent writes into the session file before. */
  readonly agent_appended_line_before_call?: unknown;
  /** One of these three. */
  readonly stdout_json?: unknown;
  readonly stdout_text?: string;
  readonly stdout?: string;
  readonly stderr: unknown;
  readonly exit_code: number;
  /** All of the session file after the call; null when there is none. */
  readonly session_file_lines?: readonly unknown[] | null;
}

/** An id that no session has, for a call about one before any was started. */
const NO_SESSION = '0'.repeat(32);

/** Runs a transcript of `scripts/run`, a process a call. */
export async function runCliTranscript(
  transcript: CliTranscript,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const { dir } = await folder.workspace.built(transcript.skill);
  const sessions = await folder.workspace.folder();
  const tags = folder.tags.of(name);
  const results: CaseResult[] = [];
  let session = NO_SESSION;
  for (const [index, call] of transcript.calls.entries()) {
    const file = join(sessions, `skill-kit-${session}.jsonl`);
    if (call.agent_appended_line_before_call !== undefined) {
      await appendFile(file, `${JSON.stringify(call.agent_appended_line_before_call)}\n`);
    }
    const argv = call.argv.map((word) =>
      word.replaceAll('<SESSION_DIR>', sessions).replaceAll('<SESSION_ID>', session),
    );
    const ended = await runProcess(join(dir, 'scripts/run'), argv, folder.workspace.dir);
    session = startedSession(ended.stdout) ?? session;
    const lines =
      call.session_file_lines === undefined
        ? undefined
        : await sessionLines(join(sessions, `skill-kit-${session}.jsonl`));
    const actual = replyOf(call, ended, lines);
    const title = [call.comment, call.argv.join(' ')].filter((part) => part !== undefined).join(': ');
    const entry = { name, entry: String(index), title, tags };
    const recorded = recordedReply(call);
    const outlines = { recorded: outlineOf(recorded), actual: outlineOf(actual) };
    results.push(judge(entry, { recorded, actual, outlines }));
  }
  return results;
}

interface CliReply {
  readonly exit_code: number | null;
  readonly stdout: unknown;
  readonly stderr: unknown;
  readonly session_file_lines?: readonly unknown[] | null;
}

function recordedReply(call: CliCall): CliReply {
  return {
    exit_code: call.exit_code,
    stdout: 'stdout_json' in call ? call.stdout_json : (call.stdout_text ?? call.stdout),
    stderr: call.stderr,
    ...(call.session_file_lines === undefined ? {} : { session_file_lines: call.session_file_lines }),
  };
}

function replyOf(call: CliCall, ended: Ended, lines: readonly unknown[] | null | undefined): CliReply {
  return {
    exit_code: ended.exit,
    stdout: 'stdout_json' in call ? parsed(ended.stdout) : ended.stdout,
    stderr: describeStderr(call.stderr, ended.stderr),
    ...(lines === undefined ? {} : { session_file_lines: lines }),
  };
}

/** What a reply comes to: that of its result, which a session has in the last line of its file. */
export function outlineOf({ exit_code, stdout, session_file_lines }: CliReply): Outline {
  const result = isRecord(stdout) && 'kind' in stdout ? stdout : session_file_lines?.at(-1);
  const said = isRecord(result) ? result : {};
  return {
    exit: exit_code ?? -1,
    kind: typeof said['kind'] === 'string' ? said['kind'] : stdout === '' ? 'nothing' : 'text',
    step: typeof said['step'] === 'string' ? said['step'] : '',
  };
}

/** The JSON of one line; what is none stays text, so that it is seen. */
function parsed(stdout: string): unknown {
  if (!/^[^\n]+\n$/.test(stdout)) return stdout;
  try {
    return JSON.parse(stdout) as unknown;
  } catch {
    return stdout;
  }
}

function startedSession(stdout: string): string | undefined {
  const said = parsed(stdout);
  return isRecord(said) && typeof said['sessionId'] === 'string' ? said['sessionId'] : undefined;
}

async function sessionLines(file: string): Promise<readonly unknown[] | null> {
  const content = await readFile(file, 'utf8').catch(() => null);
  return content === null
    ? null
    : content
        .trimEnd()
        .split('\n')
        .map((line) => parsed(`${line}\n`));
}
