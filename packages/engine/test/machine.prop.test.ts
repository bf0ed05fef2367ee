import {
  type StepJob,
  type StepResult,
  type TraceEvent,
  type TurnOutcome,
  turnId,
} from '@skillyard/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Skill, Workflow } from '../src/format/ast.ts';
import {
  type Advance,
  applyResult,
  assembleTrace,
  compileProgram,
  loadTurn,
  startTurn,
  type StateRecord,
  type Turn,
} from '../src/index.ts';
import { arbitraryWorkflow } from './arbitrary-flow.ts';
import { answer } from './scripted-world.ts';

/** More than any of the random workflows can ask for. */
const MOST_JOBS = 5000;
const RUNS = Number(process.env.PROPERTY_RUNS ?? 400);

interface Finished {
  readonly outcome: TurnOutcome;
  readonly events: TraceEvent[];
  readonly state: string;
}

interface Manner {
  readonly fanOut?: 'auto' | 'off';
  /** Picks the next job to answer. */
  readonly pick?: (count: number) => number;
  /** Called between two events; may swap the turn for a reloaded one. */
  readonly between?: (turn: Turn) => Turn;
  /** Results that are delivered once more after each event. */
  readonly repeat?: boolean;
}

function programOf(workflow: Workflow) {
  return compileProgram({ name: 'random', sources: {}, workflow } as unknown as Skill, 'workflow');
}

function run(workflow: Workflow, manner: Manner = {}): Finished {
  const program = programOf(workflow);
  const effects = { srv: 'read' } as const;
  const settings = { fanOut: manner.fanOut ?? 'auto', window: 2, effects } as const;
  const start = startTurn(program, { turnId: turnId('t1'), settings }, 0);
  let turn = start.turn;
  const jobs: StepJob[] = [];
  const done: StepResult[] = [];
  const events: TraceEvent[] = [];
  let outcome: TurnOutcome | undefined;
  const take = (advance: Advance): void => {
    events.push(...advance.events);
    jobs.push(...advance.jobs);
    for (const id of advance.dropped) {
      const at = jobs.findIndex((job) => job.id === id);
      if (at >= 0) jobs.splice(at, 1);
    }
    outcome = advance.outcome ?? outcome;
  };
  take(start.advance);
  for (let answered = 0; jobs.length > 0; answered++) {
    if (answered > MOST_JOBS) throw new Error('the turn goes round in circles');
    turn = manner.between?.(turn) ?? turn;
    const [job] = jobs.splice(manner.pick?.(jobs.length) ?? 0, 1);
    const result = answer(job as StepJob);
    take(applyResult(turn, result, 0));
    done.push(result);
    if (manner.repeat) {
      for (const again of done) {
        const advance = applyResult(turn, again, 0);
        expect(advance).toEqual({ jobs: [], dropped: [], events: [] });
      }
    }
  }
  if (outcome === undefined) throw new Error('the turn has no job left and no outcome: it is stuck');
  // Whether an end is known before it comes depends on what comes first.
  const records = turn.save().map((record) => ({ ...record, doomed: undefined }));
  return { outcome, events, state: JSON.stringify(records) };
}

/** What must not depend on how a turn was run. Work that was started early and thrown away is still counted as spent. */
function essence({ outcome, events, state }: Finished) {
  const isCut = events.some((event) => event.type === 'steps.discarded');
  const { usage, ...rest } = outcome;
  const trace = assembleTrace(events);
  const plain = [...trace.steps, ...trace.notices].map(({ loop: _loop, ...row }) => row);
  return { ...rest, vars: { ...rest.vars }, plain, ...(!isCut && { usage, state }) };
}

function withoutState(finished: Finished) {
  const { state: _state, usage: _usage, ...rest } = essence(finished) as Record<string, unknown>;
  return rest;
}

describe('the turn machine', () => {
  it('ends every workflow, whatever its steps answer', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, (workflow) => {
        expect(run(workflow).outcome.status).toMatch(/^(completed|exited|failed|denied)$/);
      }),
      { numRuns: RUNS },
    );
  });

  it('reaches the same state in whatever order results come, and however often (M1, M2)', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, fc.infiniteStream(fc.nat()), (workflow, stream) => {
        const pick = (count: number): number => (stream.next().value as number) % count;
        const inOrder = essence(run(workflow));
        const shuffled = essence(run(workflow, { pick, repeat: true }));
        if ('state' in inOrder && 'state' in shuffled) expect(shuffled).toEqual(inOrder);
        else expect({ ...shuffled, state: 0, usage: 0 }).toEqual({ ...inOrder, state: 0, usage: 0 });
      }),
      { numRuns: RUNS },
    );
  });

  it('gives the same variables, trace and outcome with fan-out on and off', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, fc.infiniteStream(fc.nat()), (workflow, stream) => {
        const pick = (count: number): number => (stream.next().value as number) % count;
        expect(withoutState(run(workflow, { pick }))).toEqual(withoutState(run(workflow, { fanOut: 'off' })));
      }),
      { numRuns: RUNS },
    );
  });

  it('goes on from saved records as if it had not been saved (M3)', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, (workflow) => {
        const reload = (turn: Turn): Turn =>
          loadTurn(turn.program, JSON.parse(JSON.stringify(turn.save())) as StateRecord[]);
        expect(essence(run(workflow, { between: reload }))).toEqual(essence(run(workflow)));
      }),
      { numRuns: RUNS },
    );
  });

  it('tells a driver every change, and nothing else it needs (T2)', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, (workflow) => {
        const stored = new Map<string, string>();
        const between = (turn: Turn): Turn => {
          const { written, removed } = turn.takeChanges();
          for (const record of written) stored.set(record.key, JSON.stringify(record));
          for (const key of removed) stored.delete(key);
          const sorted = [...stored].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
          expect(sorted).toEqual(turn.save().map((record) => JSON.stringify(record)));
          return turn;
        };
        run(workflow, { between });
      }),
      { numRuns: RUNS },
    );
  });
});
