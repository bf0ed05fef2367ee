/**
 * How a run goes on: the program is run again with all answers until it needs one that is not ours to give, or ends.
 *
 * R1 What is asked for is in the log before it is done, and what came of it is in the log before the program is told.
 * R2 A command is run by who has written its request into the log, and never again without being told to.
 */
import { relative, sep } from 'node:path';
import { fileOutputStore } from '../command/file-output-store.ts';
import { runCommand } from '../command/run-command.ts';
import { ProgramError } from '../program-error.ts';
import { textDigest } from '../protocol/digest.ts';
import type { EnvelopeText } from '../protocol/program-output.ts';
import { COMMAND_PAYLOAD, readCommand, type RequestedCommand } from '../protocol/read-command.ts';
import { diverge } from './divergence.ts';
import { endRun, progressOfEnding } from './ending.ts';
import { type HeldRun, produceOutput, type RecordedRun } from './supervised-run.ts';
import type { Progress } from './supervision.ts';

const LONGEST_SHOWN = 500;

/** What to do about a command that may have been run already. */
export type InFlight = 'refuse' | 'run-again';

/**
 * Goes on with a run from where it is.
 * @throws ProgramError IN_FLIGHT when a command may have been run already, and nobody recorded what came of it
 */
export async function advance(run: HeldRun, inFlight: InFlight): Promise<Progress> {
  const { state } = run;
  if (state.ending !== null) return progressOfEnding(state, state.ending);
  const left = state.pending?.request.kind === 'run_command' ? state.pending : null;
  if (left !== null && inFlight === 'refuse') throw isInFlight(state.runId, left);
  for (;;) {
    const output = await produceOutput(run, state.entries);
    if (output.type === 'diverged') return diverge(run, output.divergence);
    if (output.type === 'terminal') return endRun(run, output.terminal, output.requirements);
    const { envelope } = output;
    refuseForeign(run, envelope);
    const command = envelope.request.kind === 'run_command' ? commandIn(envelope) : null;
    if (!isSame(state.pending, envelope)) run.append('operation.requested', envelope.text);
    else if (command !== null) run.append('command.repeated', positionOf(envelope));
    if (command === null) return { kind: 'pending', runId: state.runId, envelope };
    const result = await perform(run, envelope, command);
    recordResult(run, envelope, JSON.stringify(result));
  }
}

/**
 * Writes the answer to an operation into the log.
 * @param result a compact text
 */
export function recordResult(run: HeldRun, { sequence, request }: EnvelopeText, result: string): void {
  const [id, digest] = [JSON.stringify(request.id), textDigest(result)];
  run.append(
    'operation.completed',
    `{"request_id":${id},"result":${result},"result_digest":"${digest}","sequence":${sequence}}`,
  );
}

/** Whether two requests ask for the same, at the same place. */
export function isSame(one: EnvelopeText | null, other: EnvelopeText): boolean {
  return one?.sequence === other.sequence && one.request.digest === other.request.digest;
}

/**
 * A program that answers for another run, or for another place of this one, would be answered again and again.
 * @throws ProgramError OUTPUT_INVALID
 */
export function refuseForeign({ state }: RecordedRun, { runId, skill, sequence }: EnvelopeText): void {
  const expected = state.entries.length + 1;
  const wrong = [
    ...(runId === state.runId ? [] : [`run id ${JSON.stringify(runId)} instead of "${state.runId}"`]),
    ...(skill.name === state.skill.name
      ? []
      : [`skill ${JSON.stringify(skill.name)} instead of ${JSON.stringify(state.skill.name)}`]),
    ...(skill.digest === state.skill.digest
      ? []
      : [`skill digest ${skill.digest} instead of ${state.skill.digest}`]),
    ...(sequence === expected ? [] : [`sequence ${sequence} instead of ${expected}`]),
  ];
  if (wrong.length > 0)
    throw new ProgramError(
      'OUTPUT_INVALID',
      `skill program emitted invalid output: the request is not for this run: ${wrong.join(', ')}; a program repeats what its journal says`,
    );
}

/** @throws ProgramError OUTPUT_INVALID */
function commandIn({ request }: EnvelopeText): RequestedCommand {
  const command = readCommand(request.payload);
  if (command !== null) return command;
  throw new ProgramError(
    'OUTPUT_INVALID',
    `skill program emitted invalid output: the payload of command ${JSON.stringify(request.id)} must be ${COMMAND_PAYLOAD}`,
  );
}

function perform(run: HeldRun, { sequence }: EnvelopeText, command: RequestedCommand) {
  const { folder, env, signal } = run.supervision;
  const outputs = relative(folder, run.files.outputs).split(sep).join('/');
  return runCommand({
    ...command,
    cwd: folder,
    env,
    signal,
    output: fileOutputStore({ folder, path: `${outputs}/${sequence}` }),
  });
}

function positionOf({ sequence, request }: EnvelopeText): string {
  return JSON.stringify({ request_id: request.id, sequence });
}

function isInFlight(runId: string, { sequence, request }: EnvelopeText): ProgramError {
  const { command } = JSON.parse(request.payload) as { readonly command: string };
  return new ProgramError(
    'IN_FLIGHT',
    `run ${runId}: command ${JSON.stringify(request.id)} (sequence ${sequence}) may have been run, and what came of it was not recorded: ${shown(command)}
look what it has done, then either
  respond ${runId} --result-json '{"exit_code":0,"stdout":"","stderr":""}'  records what came of it, or
  resume ${runId} --run-again  runs it once more`,
  );
}

function shown(command: string): string {
  return command.length > LONGEST_SHOWN ? `${command.slice(0, LONGEST_SHOWN)}…` : command;
}
