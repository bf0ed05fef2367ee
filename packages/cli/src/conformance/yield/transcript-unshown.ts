/**
 * What was done between recorded steps and not recorded itself, as far as it shows in what was: files that were written, sources
 * and logs that were changed. Each act looks at what a call was recorded with, and at the log that was recorded behind it.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compactJson, membersOf, skillDigest, textDigest } from '@skillyard/program/supervisor';
import { isRecord } from '../../is-record.ts';
import { isLog, type CallStep, type FileStep, type TranscriptStep } from './transcript.ts';
import { spacedText } from './transcript-log.ts';
import { writeFiles } from './write-files.ts';
import { logLines } from './transcript-run.ts';
import { rewriteSources, touchSources } from './transcript-skills.ts';
import { skillText } from './yield-workspace.ts';

/** A call and where it stands. */
export interface Place {
  readonly call: CallStep;
  /** Of its scenario. */
  readonly steps: readonly TranscriptStep[];
  /** The folder of its skill; null when it has none. */
  readonly skill: string | null;
  /** The run that it is about; null when it is about none. */
  readonly run: string | null;
  readonly cwd: string;
  /** What names stand for. */
  readonly resolve: (text: string) => string;
}

/** Does what must have been done before a call. */
export async function doUnshown(place: Place): Promise<void> {
  await writeResponse(place);
  await writeInput(place);
  await changeSources(place);
  await writeForeignAdapter(place);
  await makeFlows(place);
}

/** The response that a `resume` is given: the recorded one, or the one that the log shows to have been taken next. */
async function writeResponse(place: Place): Promise<void> {
  const { call, cwd, resolve } = place;
  const flag = call.argv.indexOf('--response');
  if (flag < 0) return;
  const text = call.stderr.includes('response does not decode') ? '{not json' : await responseText(place);
  if (text !== null) await writeFile(join(cwd, call.argv[flag + 1] ?? ''), resolve(text));
}

/** @returns null when nothing says what it was */
export async function responseText(place: Place): Promise<string | null> {
  const { steps, call, run, skill } = place;
  const before = steps.slice(0, steps.indexOf(call)).toReversed();
  const recorded = before.find((step): step is FileStep => 'response_file' in step);
  if (recorded !== undefined) {
    // A note says that white space was added, which the recording of the file does not have.
    const isSpaced = before
      .slice(0, before.indexOf(recorded))
      .some((step) => 'note' in step && /spaces inside/.test(step.note ?? ''));
    const compact = JSON.stringify(recorded.response_file);
    return isSpaced ? JSON.stringify(recorded.response_file, null, 1) : spacedText(compact);
  }
  if (run === null || skill === null) return null;
  const taken = (await logLines(skill, run).catch(() => [])).filter((line) =>
    line.includes('"type":"operation.completed"'),
  );
  const next = recordedLog(place).filter((line) => line.includes('"type":"operation.completed"'))[
    taken.length
  ];
  if (next === undefined) return null;
  const data = new Map(membersOf(new Map(membersOf(compactJson(next))).get('data') ?? '{}'));
  const result = data.get('result') ?? 'null';
  const isCompact = data.get('result_digest') === JSON.stringify(textDigest(result));
  return `{"run_id":"${run}","sequence":${data.get('sequence')},"request_id":${data.get('request_id')},"status":"completed","result":${isCompact ? result : spacedText(result)}}`;
}

/** The first log that was recorded behind a call. */
function recordedLog({ steps, call }: Place): readonly string[] {
  return steps.slice(steps.indexOf(call)).find(isLog)?.run_log ?? [];
}

/** The file of an input, unless it was not there: a note has its bytes, or it is no JSON. */
async function writeInput({ call, steps, cwd }: Place): Promise<void> {
  const flag = call.argv.indexOf('--input');
  if (flag < 0 || call.stderr.includes('no such file')) return;
  const name = call.argv[flag + 1] ?? '';
  const noted = steps.flatMap((step) =>
    'note' in step ? (/^input file bytes are '(.*)'/.exec(step.note ?? '') ?? []) : [],
  )[1];
  const text =
    name.startsWith('bad') || noted === undefined ? 'not json' : noted.replaceAll(String.raw`\n`, '\n');
  await writeFile(join(cwd, name), text);
}

/** Sources that were changed: without effect where only their digest is spoken of, else so that the program asks for something else. */
async function changeSources(place: Place): Promise<void> {
  const { call, skill, run } = place;
  if (skill === null) return;
  if (call.stderr.includes('adapter is stale')) return touchSources(skill);
  if (run === null) return;
  const lines = await logLines(skill, run).catch((): string[] => []);
  const isChanged = boundDigest(lines) !== (await skillDigest(skill));
  if (call.stderr.includes('rejected (digest-mismatch)') && !isChanged) return touchSources(skill);
  const diverged = /^yskill: replay diverged at sequence (\d+)/.exec(call.stderr)?.[1];
  if (diverged === undefined || !call.argv.includes('--accept-new-digest')) return;
  const asked = textAsked(lines, Number(diverged));
  if (asked !== null) await rewriteSources(skill, asked, `${asked}!`);
}

/** What a run is bound to by its log. */
function boundDigest(lines: readonly string[]): unknown {
  const bound = lines.flatMap((line) => {
    const { type, data } = JSON.parse(line) as { type: string; data: Record<string, unknown> };
    if (type === 'digest.migrated') return [data['to']];
    return type === 'run.started' && isRecord(data['skill']) ? [data['skill']['digest']] : [];
  });
  return bound.at(-1);
}

/** What the operation of a sequence says to whoever answers it. */
function textAsked(lines: readonly string[], sequence: number): string | null {
  for (const line of lines) {
    const { type, data } = JSON.parse(line) as { type: string; data: Record<string, unknown> };
    if (type !== 'operation.requested' || data['sequence'] !== sequence) continue;
    const request = data['request'];
    const payload = isRecord(request) ? request['payload'] : undefined;
    const [text] = isRecord(payload)
      ? Object.values(payload).filter((value) => typeof value === 'string')
      : [];
    return text ?? null;
  }
  return null;
}

/** An adapter that somebody has written by hand, where a call was refused on account of one. */
async function writeForeignAdapter({ call, resolve }: Place): Promise<void> {
  const path = /refusing to overwrite user-owned or differently sourced adapter (\S+)/.exec(call.stderr)?.[1];
  if (path === undefined) return;
  const file = resolve(path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'Written by hand.\n');
}

/** A folder of skills: those that a call was recorded to register, without the ones that it was recorded to remove. */
async function makeFlows({ call, skill }: Place): Promise<void> {
  if (call.argv[1] !== 'register-all' || skill === null || call.exit_code !== 0) return;
  for (const line of call.stdout.split('\n')) {
    const name = /\/([\w-]+)\/SKILL\.md$/.exec(line)?.[1];
    if (name === undefined) continue;
    if (line.startsWith('removed:')) await rm(join(skill, name), { recursive: true });
    else await writeFiles(join(skill, name), { 'SKILL.md': skillText(name) });
  }
}
