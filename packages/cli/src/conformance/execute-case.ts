import {
  type StepFinished,
  type StepsDiscarded,
  turnId,
  type TurnOutcome,
  type Vocabulary,
} from '@skillyard/contracts';
import { compileProgram, loadSkill, type Program, type TurnSettings } from '@skillyard/engine';
import { AnswerOrder } from './answer-order.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { Doubles } from './doubles.ts';
import type { UnorderedPaths } from './match.ts';
import type { CaseScript } from './script.ts';

/** One turn of a case under a driver. */
export interface CaseTurn {
  readonly program: Program;
  /** The text of the skill, for drivers that keep it. */
  readonly skillText: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly settings: Partial<TurnSettings>;
  readonly doubles: Doubles;
}

/** How the turn went. */
export interface CaseReport {
  readonly outcome: TurnOutcome;
  readonly steps: readonly StepFinished[];
  readonly notices: readonly StepFinished[];
  readonly discarded: readonly StepsDiscarded[];
}

/** Runs the turns of cases: the local driver or the queue driver. */
export type CaseDriver = (turn: CaseTurn) => Promise<CaseReport>;

/** What is compared of an `execute` case: the result, and which of its lists have no order. */
export interface ExecuteResult {
  readonly actual: Readonly<Record<string, unknown>>;
  readonly unordered: UnorderedPaths;
}

/**
 * Runs an `execute` case.
 *
 * A run that may fan out is preceded by a sequential one, which decides what each request is answered: see
 * {@link AnswerOrder}. Requests are compared in the order of the sequential run, and without those of iterations that
 * started early and were discarded.
 * @param sequential the driver for the run before: the local one, which is fastest
 */
export async function executeCase(
  one: ConformanceCase,
  options: { driver: CaseDriver; sequential: CaseDriver; fanOut: 'on' | 'off' },
): Promise<ExecuteResult> {
  const input = one.input as unknown as ExecuteInput;
  const unordered = unorderedPaths(one.expected);
  const loaded = loadSkill(input.skill, { file: `${one.id}.yaml` });
  if (loaded.skill === null || loaded.skill.workflow === null) return { actual: refused(), unordered };
  // The cases run the workflow whatever `mode` says (spec section 1).
  const program = compileProgram(loaded.skill, 'workflow');
  const script = input.script ?? {};
  const run = async (driver: CaseDriver, fanOut: 'auto' | 'off', order: AnswerOrder) => {
    const doubles = new Doubles(script, order);
    const settings = { fanOut, vocabulary: readVocabulary(input.vocabulary) };
    return {
      doubles,
      report: await driver({ program, skillText: input.skill, vars: input.vars ?? {}, settings, doubles }),
    };
  };

  const order = new AnswerOrder();
  const isFirst = options.fanOut === 'off' && options.driver === options.sequential;
  const first = await run(options.sequential, 'off', order);
  if (isFirst) return { actual: readReport(first.report, first.doubles.log.read()), unordered };
  const mode = options.fanOut === 'on' ? 'auto' : 'off';
  const { doubles, report } = await run(options.driver, mode, new AnswerOrder(order));
  const requests = doubles.log.read(first.doubles.log.jobs(), (job) => isDiscarded(job, report.discarded));
  return { actual: readReport(report, requests), unordered };
}

interface ExecuteInput {
  readonly skill: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly script?: CaseScript;
  readonly vocabulary?: VocabularyInput;
}

/** A vocabulary as cases write it. */
export interface VocabularyInput {
  readonly decision_markers?: readonly string[];
  readonly truncation_notes?: readonly string[];
}

/** The vocabulary of a case; without one every list is empty. */
export function readVocabulary(input: VocabularyInput | undefined): Vocabulary {
  return {
    decisionMarkers: [...(input?.decision_markers ?? [])],
    truncationNotes: [...(input?.truncation_notes ?? [])],
  };
}

/** The id of turns that run by themselves. */
export const CASE_TURN = turnId('case');

function isDiscarded(job: string, discarded: readonly StepsDiscarded[]): boolean {
  return discarded.some((event) => job.startsWith(`${event.path}.`));
}

/** What validation refuses, and a skill without steps, runs nothing. */
function refused(): Record<string, unknown> {
  return {
    vars: null,
    answered_by: '',
    skipped: [],
    steps: [],
    events: [],
    error: { kind: 'other' },
    requests: { runner: [], caller: [], delegate: [], assets: [] },
  };
}

function readReport(report: CaseReport, requests: unknown): Record<string, unknown> {
  const { outcome, steps, notices } = report;
  return {
    vars: outcome.vars,
    answered_by: outcome.answeredBy,
    skipped: outcome.skipped,
    steps: steps.map((step) => ({
      name: step.name,
      kind: step.kind,
      outcome: step.outcome,
      calls: step.calls,
      calls_failed: step.callsFailed,
      has_reason: step.reason.trim() !== '',
    })),
    events: notices.map((step) => ({ name: step.name, kind: step.kind, outcome: step.outcome })),
    error: readError(outcome),
    requests,
  };
}

function readError(outcome: TurnOutcome): unknown {
  switch (outcome.status) {
    case 'completed':
      return null;
    case 'exited':
      return { kind: 'exit', exit_reason: outcome.exitReason ?? '' };
    case 'denied':
      return { kind: 'denied' };
    default:
      return { kind: 'other' };
  }
}

const ALWAYS_UNORDERED = ['events'];
const PARALLEL = ['skipped', 'requests.runner', 'requests.caller', 'requests.delegate', 'requests.assets'];

function unorderedPaths(expected: unknown): UnorderedPaths {
  const { unordered } = expected as { unordered?: boolean };
  return new Set(unordered === true ? [...ALWAYS_UNORDERED, ...PARALLEL] : ALWAYS_UNORDERED);
}
