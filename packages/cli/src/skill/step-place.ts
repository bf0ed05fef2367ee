import type { StepFinished } from '@skillyard/contracts';
import { type Mode, modeOf, type Skill, type Step } from '@skillyard/engine';
import type { TurnReport } from '../terminal/report-turn.ts';

/**
 * Where the step stands that ended a turn, as `file:line:column`; for a playbook, where it begins.
 * @param mode the description that ran; the one in effect when left out
 * @returns undefined when the turn did not fail, or not at a step
 */
export function stepPlace(
  { file, skill }: { readonly file: string; readonly skill: Skill },
  report: TurnReport,
  mode: Mode = modeOf(skill),
): string | undefined {
  const { status } = report.outcome;
  if (status !== 'failed' && status !== 'denied') return undefined;
  const row = failedRow(report);
  if (row === undefined) return undefined;
  const position =
    mode === 'playbook'
      ? skill.keys.get('playbook')
      : findStep(skill.workflow?.steps ?? [], row.path.split('.'))?.position;
  return position && `${file}:${position.line}:${position.column}`;
}

const FAILURES = new Set<StepFinished['outcome']>(['error', 'denied', 'degraded']);

/** The innermost step that failed. Rows of loops and forks stand behind those of what is inside them. */
function failedRow({ steps, notices }: TurnReport): StepFinished | undefined {
  const last = steps.findLast((row) => row.kind !== 'for_each');
  if (last === undefined || !FAILURES.has(last.outcome)) return undefined;
  if (last.kind !== 'parallel') return last;
  const inside = notices.filter((row) => row.path.startsWith(`${last.path}.`) && FAILURES.has(row.outcome));
  return inside.find((row) => row.kind !== 'for_each' && row.kind !== 'parallel') ?? last;
}

/** Follows the path of a step instance: indexes of steps, and between them which of a step's lists it is in. */
function findStep(steps: readonly Step[], path: readonly string[]): Step | undefined {
  const [index = '', list, ...rest] = path;
  const step = steps[Number(index)];
  if (step === undefined || list === undefined) return step;
  const inside = listOf(step, list);
  return inside && findStep(inside, rest);
}

function listOf(step: Step, segment: string): readonly Step[] | undefined {
  const number = Number(segment.slice(1));
  switch (step.kind) {
    case 'if':
      return segment === 't' ? step.then : step.else;
    case 'switch':
      return segment === 'd' ? step.default : step.cases[number]?.steps;
    case 'for_each':
      return step.steps;
    case 'parallel':
      return step.branches[number];
    default:
      return undefined;
  }
}
