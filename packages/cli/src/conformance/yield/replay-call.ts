import { access } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { compactJson, membersOf, skillDigest } from '@skillyard/program/supervisor';
import type { CaseResult } from '../run-case.ts';
import type { Ended } from '../run-process.ts';
import { callProgram } from './call-program.ts';
import { fitsText, WORDS } from './fits-text.ts';
import { type Identity, isRawRequest, ownEnvelope, rawOutputOf } from './own-identity.ts';
import { nameNewRun, runNamed } from './name-runs.ts';
import { type CallStep, skillFolderOf } from './transcript.ts';
import { CALL_CORRECTIONS, type CallContext } from './transcript-corrections.ts';
import type { ScenarioState, TranscriptPlay } from './transcript-play.ts';
import type { CallReply, RunMemory } from './transcript-run.ts';
import { makeSkill } from './transcript-skills.ts';
import { tamperWithLog } from './transcript-tampering.ts';
import { doUnshown, type Place, responseText } from './transcript-unshown.ts';
import { type Entry, judge } from './yield-folder.ts';

/** Verbs that get a run further. */
const PROGRESSES = new Set(['run', 'resume', 'respond']);

/** Makes a recorded call with our supervisor and compares what it comes to. */
export async function replayCall(
  entry: Entry,
  call: CallStep,
  play: TranscriptPlay,
  state: ScenarioState,
): Promise<CaseResult> {
  const place = await placeOf(call, play, state);
  await doUnshown(place);
  const undo = await tamperWithLog(place);
  await learnSources(place, play);
  const context = await contextOf(place, play);
  const ended = await callProgram(call.argv.slice(1).map(place.resolve), {
    cwd: place.cwd,
    stdin: call.stdin ?? '',
    env: { ...play.env, ...call.env },
  });
  await undo();
  await learnSources(place, play);
  const run = place.run ?? (await nameNewRun(call, ended, place, play));
  const memory = run === null ? null : memoryOf(run, play);
  const { why, expected: unnamed } = expectedReply(
    call,
    { ...context, memory },
    await identityOf(place, run, play),
  );
  const expected = { ...unnamed, stdout: play.names.nameAll(unnamed.stdout, unnamed.stdout) };
  const actual = namedReply(call, ended, expected, play);
  if (memory !== null) remember(memory, actual, context);
  if (run !== null && context.verb === 'inspect' && ended.exit === 0) play.inspected.set(run, actual.stdout);
  const foreign = /refusing to overwrite user-owned[\s\S]*/.exec(call.stderr)?.[0];
  if (foreign !== undefined) play.foreignAdapters.push(foreign);
  const result = judge(entry, expected, actual);
  return why === null || result.differences.length > 0 ? result : { ...result, correction: why };
}

/** Where a call is made, and what about; its skill is made when it is spoken of for the first time. */
async function placeOf(call: CallStep, play: TranscriptPlay, state: ScenarioState): Promise<Place> {
  const { steps } = state;
  const cwd = play.names.resolve(call.cwd);
  const folder = resolve(cwd, skillFolderOf(call) ?? '.');
  const skill = folder.startsWith(`${cwd}/`) ? folder : null;
  if (skill !== null) {
    state.skill = skill;
    if (!play.skills.has(skill)) await makeSkill(steps, call, skill, play.folder, play.rawOutput);
    play.skills.add(skill);
  }
  const name = call.argv[2];
  const isNamed = name !== undefined && /^<run-\d+>$/.test(name) && !call.argv[1]?.startsWith('run');
  const run = isNamed && skill !== null ? await runNamed(name, skill, play) : null;
  return { call, steps, skill, run, cwd, resolve: (text) => play.names.resolve(text) };
}

async function learnSources({ skill }: Place, { names }: TranscriptPlay): Promise<void> {
  const isThere =
    skill !== null &&
    (await access(skill).then(
      () => true,
      () => false,
    ));
  if (isThere) names.learnSources(await skillDigest(skill));
}

async function contextOf(place: Place, play: TranscriptPlay): Promise<Omit<CallContext, 'memory'>> {
  const { call, skill, run, steps } = place;
  const verb = call.argv[1] ?? '';
  const raw = skill === null ? null : rawOutputOf(steps, basename(skill));
  const response = verb === 'resume' ? membersIn(await responseText(place)) : null;
  const answer = response?.get('result') ?? (verb === 'respond' ? answerIn(call) : null);
  const textOf = (key: string): string | null => {
    const text = response?.get(key);
    return text === undefined ? null : (JSON.parse(text) as string);
  };
  const inspected = run === null ? null : (play.inspected.get(run) ?? null);
  const { rawOutput, foreignAdapters } = play;
  return {
    verb,
    raw,
    rawOutput,
    answer,
    status: textOf('status'),
    requestId: textOf('request_id'),
    foreignAdapters,
    inspected,
  };
}

function membersIn(text: string | null): ReadonlyMap<string, string> | null {
  return text === null ? null : new Map(membersOf(compactJson(text)));
}

/** The compact text of what a `respond` answers. */
function answerIn({ argv, stdin }: CallStep): string | null {
  const [value, json] = ['--value', '--result-json'].map((flag) => {
    const at = argv.indexOf(flag);
    return at < 0 ? undefined : argv[at + 1];
  });
  if (value !== undefined) return JSON.stringify({ value });
  try {
    return compactJson((json === '-' ? stdin : json) ?? '');
  } catch {
    return null;
  }
}

function memoryOf(run: string, { memories }: TranscriptPlay): RunMemory {
  const known = memories.get(run);
  const memory = known ?? {
    frontier: { exit_code: 0, stdout: '', stderr: '' },
    answer: null,
    answers: 0,
    rejections: 0,
    edits: [],
  };
  memories.set(run, memory);
  return memory;
}

/** Whose requests a program prints that prints its own; null for all others. */
async function identityOf(
  { skill }: Place,
  run: string | null,
  play: TranscriptPlay,
): Promise<Identity | null> {
  if (play.rawOutput !== 'as its own' || skill === null || run === null) return null;
  return { runId: run, skill: { name: basename(skill), digest: await skillDigest(skill) } };
}

/** What a call must come to: what was recorded, or what a correction says. */
function expectedReply(
  call: CallStep,
  context: CallContext,
  identity: Identity | null,
): { readonly why: string | null; readonly expected: CallReply } {
  const { memory } = context;
  for (const { why, of } of CALL_CORRECTIONS) {
    const corrected = of(call, context);
    if (corrected === null) continue;
    if (corrected.edit !== undefined) memory?.edits.push(corrected.edit);
    return { why, expected: corrected.expected };
  }
  if (memory !== null && /^yskill: rejected \((?!completion)/.test(call.stderr)) memory.rejections += 1;
  const { exit_code, stdout, stderr } = call;
  const isOwn =
    identity !== null && context.raw !== null && isRawRequest(context.raw) && stdout.startsWith('{');
  const told = isOwn
    ? ownEnvelope(stdout, context.raw, identity, (memory?.answers ?? 0) + (context.verb === 'run' ? 1 : 2))
    : stdout;
  const more = call.stdout_note === undefined ? '' : WORDS;
  return { why: null, expected: { exit_code, stdout: `${told}${more}`, stderr } };
}

/** What a call came to, with the names of the recording, and with its words where they may be others. */
function namedReply(
  call: CallStep,
  { exit, stdout, stderr }: Ended,
  expected: CallReply,
  { names }: TranscriptPlay,
): CallReply {
  const named = {
    stdout: names.nameAll(stdout, expected.stdout),
    stderr: names.nameAll(stderr, expected.stderr),
  };
  // Runs are listed by their ids, which come in another order here.
  const isList = call.argv[1] === 'inspect' && call.argv[2]?.startsWith('--') !== false;
  const told = isList ? inOrderOf(named.stdout, expected.stdout) : named.stdout;
  return {
    exit_code: exit,
    stdout: !told.startsWith('{') && fitsText(expected.stdout, told) ? expected.stdout : told,
    stderr: fitsText(expected.stderr, named.stderr) ? expected.stderr : named.stderr,
  };
}

/** The same lines in the order of another text, when they are the same. */
function inOrderOf(text: string, other: string): string {
  const [lines, others] = [text, other].map((one) => one.split('\n').toSorted().join('\n'));
  return lines === others ? other : text;
}

function remember(memory: RunMemory, reply: CallReply, { verb, answer }: Omit<CallContext, 'memory'>): void {
  const isTaken = reply.exit_code === 0 || reply.stderr.includes('replay diverged');
  if (!PROGRESSES.has(verb) || !isTaken) return;
  if (verb !== 'run' && answer !== memory.answer) memory.answers += 1;
  Object.assign(memory, { frontier: reply, answer: answer ?? memory.answer });
}
