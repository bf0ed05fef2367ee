/** `start`, `advance` and `cleanup`, with a session or without. */
import type { References, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { fileSessionStore } from '../sessions/file-session-store.ts';
import { isSessionId } from '../sessions/session-id.ts';
import { advanceSession, startSession } from '../sessions/session-workflow.ts';
import { openRun, openSubskill, type Run } from '../workflow/run.ts';
import type { CliIo } from './cli-io.ts';
import { handshakeOf, jsonFlag, type Flags } from './parse-arguments.ts';

/** One call of a workflow. */
export interface WorkflowCall {
  readonly definition: SkillDefinition;
  /** Named on the command line: the call passes by the dispatcher. */
  readonly subskill: string | undefined;
  readonly flags: Flags;
  readonly references: References;
  readonly io: CliIo;
}

export async function start(call: WorkflowCall): Promise<void> {
  const { definition, subskill, flags, references, io } = call;
  if (flags.get('session') !== 'new') {
    const run = openCalledRun(call, subskill);
    writeJson(io, await run.start(io.signal));
    return await run.flush();
  }
  const { sessionId, file, line } = await startSession(definition, storeOf(flags), {
    params: paramsOf(flags),
    handshake: handshakeOf(flags),
    outputMode: flags.get('output-mode') ?? 'file',
    ...(subskill === undefined ? {} : { subskill }),
    ...sessionOptions(references, io),
  });
  writeJson(io, { sessionId, file, line });
}

export async function advance(call: WorkflowCall): Promise<void> {
  const { definition, flags, references, io } = call;
  const session = flags.get('session');
  if (session === undefined || session === 'new') return await advanceStateless(call);
  // Without an answer on the command line it is in the file.
  const answer = isGiven(flags, 'output') ? answerOf(call) : null;
  const options = sessionOptions(references, io);
  const { line } = await advanceSession(definition, storeOf(flags), session, answer, options);
  writeJson(io, line);
}

export function cleanup({ flags, io }: Pick<WorkflowCall, 'flags' | 'io'>): void {
  const session = flags.get('session');
  if (session === undefined)
    throw new KitError('PROTOCOL', '--session is missing: cleanup deletes one session');
  // It names no session, so there is nothing left of it to delete, as of one that is gone.
  if (!isSessionId(session)) warnOn(io)(`${JSON.stringify(session)} is no session id: nothing was deleted`);
  storeOf(flags).remove(session);
}

async function advanceStateless(call: WorkflowCall): Promise<void> {
  const { flags, io } = call;
  const { step, output } = answerOf(call);
  const history = jsonFlag(flags, 'history') ?? [];
  const run = openCalledRun(call, subskillOf(call, step, history));
  run.replay(Array.isArray(history) ? history : []);
  writeJson(io, await run.advance(step, output, io.signal));
  await run.flush();
}

/**
 * The sub-skill whose params `--params` are: the one that was named, or that of the step when the history does not show how a
 * dispatcher came to it.
 */
function subskillOf(
  { definition, subskill }: WorkflowCall,
  step: string,
  history: unknown,
): string | undefined {
  if (subskill !== undefined) return subskill;
  const [name = ''] = step.split('/', 1);
  if (name === step || !Object.hasOwn(definition.subskills ?? {}, name)) return undefined;
  const entries: readonly unknown[] = Array.isArray(history) ? history : [];
  return entries.some((entry) => isOfDispatcher(entry)) ? undefined : name;
}

function isOfDispatcher(entry: unknown): boolean {
  const step = (entry as { step?: unknown } | null)?.step;
  return typeof step === 'string' && !step.includes('/');
}

function openCalledRun(
  { definition, flags, references, io }: WorkflowCall,
  subskill: string | undefined,
): Run {
  const options = {
    params: paramsOf(flags),
    handshake: handshakeOf(flags),
    references,
    warn: warnOn(io),
  };
  return subskill === undefined ? openRun(definition, options) : openSubskill(definition, subskill, options);
}

/** @throws KitError PROTOCOL when a part of the answer is missing */
function answerOf({ flags, subskill }: WorkflowCall): { step: string; output: unknown } {
  if (!isGiven(flags, 'step'))
    throw new KitError('PROTOCOL', '--step is missing: name the step that is answered');
  const step = flags.get('step') ?? '';
  const output = flags.get('output') === '' ? undefined : jsonFlag(flags, 'output');
  if (output === undefined) throw new KitError('PROTOCOL', '--output is missing: give the answer as JSON');
  const isPrefixed = subskill === undefined || step.includes('/');
  return { step: isPrefixed ? step : `${subskill}/${step}`, output: jsonFlag(flags, 'output') };
}

/** An empty value is none. */
function isGiven(flags: Flags, name: string): boolean {
  return (flags.get(name) ?? '') !== '';
}

function paramsOf(flags: Flags): unknown {
  return jsonFlag(flags, 'params') ?? {};
}

function storeOf(flags: Flags): ReturnType<typeof fileSessionStore> {
  return fileSessionStore(flags.get('session-dir') ?? null);
}

function sessionOptions(references: References, io: CliIo) {
  return { references, warn: warnOn(io), ...(io.signal === undefined ? {} : { signal: io.signal }) };
}

function warnOn(io: CliIo): (line: string) => void {
  return (line) => io.stderr(`[skill-kit] ${line}\n`);
}

function writeJson(io: CliIo, value: unknown): void {
  io.stdout(`${JSON.stringify(value)}\n`);
}
