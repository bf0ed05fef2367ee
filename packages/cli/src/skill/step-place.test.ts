import type { StepFinished } from '@skillyard/contracts';
import { loadSkill, type Skill } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import { stepPlace } from './step-place.ts';

const TEXT = `skill_engine_version: "2.5.0"
name: tryout
description: d
workflow:
  steps:
    - set: {var: a, value: b}
    - if:
        cond: "a == b"
        then:
          - name: inner
            instruction: go
    - switch:
        var: a
        cases:
          x: [{set: {var: c, value: d}}]
        default:
          - name: other
            instruction: go
    - for_each:
        in: a
        as: row
        steps:
          - parallel:
              branches:
                - - name: left
                    instruction: go
                - - name: right
                    instruction: go
`;
const skill = loadSkill(TEXT).skill as Skill;

const row = (
  path: string,
  kind: StepFinished['kind'],
  outcome: StepFinished['outcome'],
  branch = false,
): StepFinished => ({
  type: 'step.finished',
  path,
  name: '',
  kind,
  branch,
  outcome,
  reason: '',
  calls: 0,
  callsFailed: 0,
  startedAtMs: 0,
  durationMs: 0,
});

function place(
  steps: StepFinished[],
  notices: StepFinished[] = [],
  status: 'failed' | 'completed' | 'cancelled' = 'failed',
) {
  const outcome = {
    status,
    vars: {},
    answer: '',
    answeredBy: '' as const,
    skipped: [],
    error: null,
    exitReason: null,
    usage: { generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 },
  };
  return stepPlace({ file: 's.yaml', skill }, { turnId: 't', outcome, steps, notices, durationMs: 0 });
}

describe('stepPlace', () => {
  it('finds a step in the branch of an if and in the default of a switch', () => {
    expect(place([row('1', 'if', 'ok'), row('1.t.0', 'instruction', 'error')])).toBe('s.yaml:10:13');
    expect(place([row('2', 'switch', 'ok'), row('2.d.0', 'instruction', 'denied')])).toBe('s.yaml:17:13');
  });

  it('finds the innermost step that failed inside loops and forks', () => {
    const steps = [row('3.i4.0', 'parallel', 'error'), row('3', 'for_each', 'error')];
    const notices = [
      row('3.i4.0.b0.0', 'instruction', 'ok', true),
      row('3.i4.0.b1.0', 'instruction', 'error', true),
    ];
    expect(place(steps, notices)).toBe('s.yaml:27:21');
  });

  it('knows no place when the turn did not fail at a step', () => {
    expect(place([row('0', 'set', 'ok')])).toBeUndefined();
    expect(place([])).toBeUndefined();
    expect(place([row('0', 'set', 'error')], [], 'cancelled')).toBeUndefined();
  });
});
