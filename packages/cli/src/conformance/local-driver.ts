import type { StepJob, StepResult, StepsDiscarded } from '@skillyard/contracts';
import { runTurn } from '@skillyard/runtime';
import { CASE_TURN, type CaseDriver } from './execute-case.ts';

/** Runs a case in this process, each answer given the moment it is asked for. */
export const inOrder: CaseDriver = (turn) => run(turn, (job) => turn.doubles.execute(job));

/**
 * Runs a case in this process, giving the answers of concurrent jobs in the reverse of the order in which they were
 * asked for: the least like a sequential run that a world can be.
 */
export const inReverse: CaseDriver = (turn) => {
  const waiting: (() => void)[] = [];
  const answerLatest = (): void => {
    waiting.pop()?.();
    if (waiting.length > 0) setImmediate(answerLatest);
  };
  return run(turn, (job) => {
    // The world takes its time to answer, not to hear: a request counts from when it was made.
    const result = turn.doubles.execute(job);
    if (waiting.length === 0) setImmediate(answerLatest);
    return new Promise((resolve) => void waiting.push(() => resolve(result)));
  });
};

async function run(
  turn: Parameters<CaseDriver>[0],
  execute: (job: StepJob) => StepResult | Promise<StepResult>,
): ReturnType<CaseDriver> {
  const { program, vars, settings } = turn;
  const discarded: StepsDiscarded[] = [];
  const report = await runTurn({
    program,
    vars,
    settings,
    turnId: CASE_TURN,
    execute,
    onEvent: (event) => {
      if (event.type === 'steps.discarded') discarded.push(event);
    },
  });
  return { ...report, discarded };
}
