/**
 * Where our supervisor does other than the recorded one on purpose (the specification marks it as a quirk, or recommends otherwise),
 * and what exactly it does instead. Each looks at the recorded call and says by itself whether this is its case.
 */
import { isDeepStrictEqual } from 'node:util';
import { textDigest } from '@skillyard/program/supervisor';
import { isRecord } from '../../is-record.ts';
import { isAdmissible } from './admission.ts';
import { WORDS } from './fits-text.ts';
import { envelopeIn, isRawRequest } from './own-identity.ts';
import type { CallStep } from './transcript.ts';
import { type LogEdit, type LogLine, unescaped } from './transcript-log.ts';
import type { CallReply, RunMemory } from './transcript-run.ts';
import type { RawOutput } from './transcript-skills.ts';
import { printed, readExact } from './yield-folder.ts';

/** What is known of a call besides its recording. */
export interface CallContext {
  readonly verb: string;
  /** What the program prints, where it was recorded as such; null elsewhere. */
  readonly raw: string | null;
  readonly rawOutput: RawOutput;
  /** The compact text of the answer that is given; null: none is. */
  readonly answer: string | null;
  /** Of the response that is given; null: none is. */
  readonly status: string | null;
  readonly requestId: string | null;
  /** Of the run that the call is about. */
  readonly memory: RunMemory | null;
  /** What calls before said of adapters that are not ours. */
  readonly foreignAdapters: readonly string[];
  /** What the log of that run looked like to `inspect` when all of it was there. */
  readonly inspected: string | null;
}

interface Corrected {
  /** Its texts may hold {@link WORDS}. */
  readonly expected: CallReply;
  /** What becomes of the recorded log. */
  readonly edit?: LogEdit;
}

interface CallCorrection {
  readonly why: string;
  /** null: this is not its case. */
  readonly of: (call: CallStep, context: CallContext) => Corrected | null;
}

const FAILED = { exit_code: 1, stdout: '' };
const INVALID_OUTPUT = 'skill program emitted invalid output: ';
const onlyStarted: LogEdit = (lines) => lines.filter(({ type }) => type === 'run.started');

export const CALL_CORRECTIONS: readonly CallCorrection[] = [
  {
    why: 'only an operation that was completed is taken for one',
    of: ({ exit_code: exit }, { status, requestId, memory }) => {
      if (status === null || status === 'completed' || exit !== 0 || memory === null) return null;
      const reason = status === 'failed' ? 'operation-failed' : 'unknown-status';
      memory.rejections += 1;
      return {
        expected: { ...FAILED, stderr: `yskill: rejected (${reason}): ${WORDS}\n` },
        edit: (lines) => {
          const at = lines.findIndex(
            ({ type, data }) => type === 'operation.completed' && data['request_id'] === requestId,
          );
          return [...lines.slice(0, at), { type: 'response.rejected', data: { detail: WORDS, reason } }];
        },
      };
    },
  },
  {
    why: 'an answer is the same however it is written',
    of: (call, { answer, memory }) => {
      const refused = failure(call, /DIFFERENT content|already committed with different content/);
      if (refused === null || memory === null || answer === null || answer !== memory.answer) return null;
      const { rejections } = memory;
      // What is refused before it is a response leaves no line.
      const edit: LogEdit = (lines) =>
        lines.filter((line) => line !== rejectionsIn(lines)[rejections] || !isToldIn(line, call.stderr));
      return { expected: memory.frontier, edit };
    },
  },
  {
    why: 'a request is recorded as it was printed, so a replay finds it again',
    of: (call, { verb, memory }) => {
      const refused = failure(call, /^yskill: replay reached a different pending operation than recorded\n$/);
      if (
        refused === null ||
        verb !== 'replay' ||
        memory === null ||
        !/[<>&\u2028\u2029]/.test(memory.frontier.stdout)
      )
        return null;
      const stdout = `replay: deterministic — the log reproduces the run's frontier\n${memory.frontier.stdout}`;
      return { expected: { exit_code: 0, stdout, stderr: '' } };
    },
  },
  {
    why: 'a request is told as it was printed',
    of: ({ exit_code: exit, stdout, stderr }) => {
      const told = unescaped(stdout);
      return stdout.startsWith('{') && told !== stdout
        ? { expected: { exit_code: exit, stdout: told, stderr } }
        : null;
    },
  },
  {
    why: 'the last line of a log may be torn: what is whole is the log',
    of: (call, { verb, inspected }) => {
      const torn = failure(call, /^yskill: corrupt run log at line (\d+): unexpected end/)?.[1];
      const lines = inspected?.trimEnd().split('\n') ?? [];
      if (torn === undefined || verb !== 'inspect' || lines.length !== Number(torn)) return null;
      return { expected: { exit_code: 0, stdout: `${lines.slice(0, -1).join('\n')}\n`, stderr: WORDS } };
    },
  },
  {
    why: 'a request is for the run, the skill and the place that its program was started with',
    of: (call, { verb, raw, rawOutput }) => {
      if (raw === null || rawOutput === 'as its own' || !isRawRequest(raw)) return null;
      const isTold = call.exit_code === 0 && isDeepStrictEqual(readExact(call.stdout), envelopeIn(raw));
      if (verb === 'run' && isTold) {
        const stderr = `yskill: ${INVALID_OUTPUT}the request is not for this run: ${WORDS}\n`;
        return { expected: { ...FAILED, stderr }, edit: onlyStarted };
      }
      const isRefused = failure(call, /^yskill: rejected \(schema-invalid\): /) !== null;
      if (verb !== 'respond' || !(isTold || isRefused || isPanic(call))) return null;
      return {
        expected: { ...FAILED, stderr: `yskill: run ${call.argv[2]} has no pending operation${WORDS}\n` },
      };
    },
  },
  {
    why: 'an output has its keys and its digests exactly as the protocol writes them',
    of: (call, { verb, raw }) => {
      const isTaken = call.exit_code === 0 || failure(call, /^yskill: replay diverged at /) !== null;
      if (verb !== 'run' || raw === null || isAdmissible(printed(raw)) || !isTaken) return null;
      return {
        expected: { ...FAILED, stderr: `yskill: ${INVALID_OUTPUT}invalid program output: ${WORDS}\n` },
        edit: onlyStarted,
      };
    },
  },
  {
    why: 'the schema null asks for nothing',
    of: (call, { memory, answer }) => {
      if (!isPanic(call) || memory === null || answer === null) return null;
      const stdout = memory.frontier.stdout.replace(
        /"sequence": (\d+)/,
        (_, at) => `"sequence": ${Number(at) + 1}`,
      );
      const edit: LogEdit = (lines) => [...lines, completed(answer, lines.at(-1)), ...lines.slice(-1)];
      return { expected: { exit_code: 0, stdout, stderr: '' }, edit };
    },
  },
  {
    why: 'a divergence is told with both digests and with where the requests differ',
    of: (call) => {
      if (failure(call, /^yskill: replay diverged at sequence /) === null) return null;
      const told = `${call.stderr.trimEnd()}\n  recorded: sha256:${WORDS}\n  now: sha256:${WORDS}\n  ${WORDS}\n`;
      const expected = { ...FAILED, stderr: told };
      // What the program was changed to was not recorded, so it asks for something else here.
      return call.argv.includes('--accept-new-digest') ? { expected, edit: anyGotDigest } : { expected };
    },
  },
  {
    why: 'a skill in Python has its SDK in a file beside it, since there is no package',
    of: ({ exit_code: exit, argv, stdout, stderr }, { verb }) => {
      if (verb !== 'init' || !argv.includes('python') || !stdout.includes('requirements.txt')) return null;
      const lines = stdout.split('\n').filter((line) => !line.includes('requirements.txt'));
      const behind = lines.findIndex((line) => line.startsWith('init: skill.json')) + 1;
      const told = lines.toSpliced(behind, 0, 'init: skillprogram.py exists, preserved').join('\n');
      return { expected: { exit_code: exit, stdout: told, stderr } };
    },
  },
  {
    why: 'a skill is begun in the languages that there is an SDK for',
    of: (call, { verb }) => {
      const refused = failure(
        call,
        /^(yskill: unsupported language "\w+"; choose )typescript, python, go, or rust\n$/,
      )?.[1];
      if (verb !== 'init' || refused === undefined) return null;
      return { expected: { ...FAILED, stderr: `${refused}typescript, javascript, or python\n` } };
    },
  },
  {
    why: 'a program is bundled with its SDK and needs no package in the repository',
    of: (call, { verb, foreignAdapters }) => {
      const refused = failure(call, /^yskill: cannot find a package\.json containing /);
      const [foreign] = foreignAdapters;
      if (verb !== 'register-all' || refused === null || foreign === undefined) return null;
      return { expected: { ...FAILED, stderr: `yskill: ${foreign}` } };
    },
  },
];

const anyGotDigest: LogEdit = (lines) =>
  lines.map(({ type, data }) => ({
    type,
    data: type === 'replay.diverged' ? { ...data, got_digest: WORDS } : data,
  }));

/** The line of an answer to the request of another line. */
function completed(answer: string, requested: LogLine | undefined): LogLine {
  const request = requested?.data['request'];
  const data = {
    request_id: isRecord(request) ? request['id'] : null,
    result: readExact(answer),
    result_digest: textDigest(answer),
    sequence: requested?.data['sequence'],
  };
  return { type: 'operation.completed', data };
}

/** What a call that failed said, where it is what is looked for; null elsewhere. */
function failure({ exit_code: exit, stdout, stderr }: CallStep, said: RegExp): RegExpExecArray | null {
  return exit === 1 && stdout === '' ? said.exec(stderr) : null;
}

/** A crash of the original. */
function isPanic({ exit_code: exit, stderr }: CallStep): boolean {
  return exit === 2 && stderr.startsWith('panic: ');
}

/** Whether a call was told of the rejection that stands in a line. */
function isToldIn({ data }: LogLine, stderr: string): boolean {
  return stderr === `yskill: rejected (${String(data['reason'])}): ${String(data['detail'])}\n`;
}

/** The rejections among the lines of a log. */
function rejectionsIn(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.filter(({ type }) => type === 'response.rejected');
}
