import {
  type Decision,
  type Directive,
  type Observation,
  type Requirement,
  type StepJob,
  type StepResult,
  type ToolRequest,
  type TraceEvent,
  type TurnOutcome,
  type TurnStop,
  turnId,
} from '@skillyard/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Advance,
  applyResult,
  assembleTrace,
  cancelTurn,
  compileProgram,
  loadSkill,
  loadTurn,
  startTurn,
  type StateRecord,
  type Turn,
} from '../src/index.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 400);
const MOST_JOBS = 2000;

/** What the code decides in one round, and how the world answers what is done for it. */
interface Round {
  readonly decision: Decision;
  readonly ends: Ends;
}
/** `calls`: rounds of tool calls before a generation answers. */
interface Ends {
  readonly how: 'ok' | 'error' | 'denied' | 'lost' | 'invalid' | 'late' | 'truncated';
  readonly calls: number;
  readonly refused: boolean;
}
interface Script {
  readonly rounds: readonly Round[];
  /** The round at which the code itself cannot be asked; past the end: never. */
  readonly brokenAt: number;
  readonly limits: { readonly generations?: number; readonly calls?: number; readonly tokens?: number };
}

/** Names that a step may have and an object has, too. */
const name = fc.constantFrom('look', 'weld', 'tell', '__proto__', 'constructor', 'sub.look', '');
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => value as null);
const stop = fc.record({
  status: fc.constantFrom('refused' as const, 'blocked' as const, 'requirement_failed' as const),
  reason: fc.constantFrom('', 'the slip is taken'),
}) satisfies fc.Arbitrary<TurnStop>;
const requirement = fc.record(
  {
    claim: fc.constantFrom('it floats', 'constructor'),
    passed: fc.boolean(),
    evidenceDigest: fc.constant(`sha256:${'b'.repeat(64)}`),
  },
  { requiredKeys: ['claim', 'passed'] },
) satisfies fc.Arbitrary<Requirement>;
const directive = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('generate' as const),
      step: name,
      instruction: fc.constantFrom('Go.', '{{input}} {{nothing}}', ''),
      system: fc.constantFrom('', 'Be brief.'),
      schema: fc.constantFrom(null, { type: 'object' }),
      tools: fc.constantFrom(null, [], ['yard'], ['yard:look', 'bank']),
      model: fc.constantFrom('', 'main'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      step: name,
      action: name,
      effect: fc.constantFrom('once' as const, 'read' as const, 'idempotent' as const),
      input: json,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      step: name,
      command: fc.constantFrom('make', 'echo "{{input}}"'),
      timeoutMs: fc.integer({ min: 1, max: 600_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      step: name,
      questions: fc.constant([{ kind: 'text' as const, text: 'Which?' }]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        do: fc.constant('end' as const),
        output: json,
        error: fc.constantFrom(null, { code: 'VALIDATION', message: 'wrong' }),
        stop,
        requirements: fc.array(requirement, { maxLength: 3 }),
      },
      { requiredKeys: ['do', 'output', 'error'] },
    ),
  },
);
const observation = fc.record({
  event: fc.constantFrom('onStepStart' as const, 'onTransition' as const),
  step: name,
  data: fc.constant({}),
}) satisfies fc.Arbitrary<Observation>;
const round = fc.record({
  decision: fc.record({
    directive: directive as fc.Arbitrary<Directive>,
    observed: fc.array(observation, { maxLength: 2 }),
    passed: fc.array(name, { maxLength: 2 }),
  }),
  ends: fc.record({
    how: fc.oneof(
      { weight: 8, arbitrary: fc.constant('ok' as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          'error' as const,
          'denied' as const,
          'lost' as const,
          'invalid' as const,
          'late' as const,
          'truncated' as const,
        ),
      },
    ),
    calls: fc.nat({ max: 2 }),
    refused: fc.boolean(),
  }),
});
const script: fc.Arbitrary<Script> = fc.record({
  rounds: fc.array(round, { maxLength: 8 }),
  brokenAt: fc.nat({ max: 24 }),
  limits: fc.record(
    {
      generations: fc.integer({ min: 1, max: 5 }),
      calls: fc.integer({ min: 1, max: 5 }),
      tokens: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: [] },
  ),
});

function programOf({ limits }: Script) {
  const code = { runtime: 'kit', file: 'bin/s.mjs', sha256: 'a'.repeat(64), limits };
  const header = {
    skill_engine_version: '2.5.0',
    name: 'random',
    description: 'Random code.',
    mode: 'code',
    servers: ['yard'],
    code,
  };
  const { skill, diagnostics } = loadSkill(JSON.stringify(header));
  if (skill === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return compileProgram(skill, 'code');
}

const END: Decision = {
  directive: { do: 'end', output: 'done', error: null },
  observed: [],
  passed: [],
};

const USAGE = { inputTokens: 3, outputTokens: 2 };

/** What the world says to a job: it depends on the job and the script alone. */
function answer(job: StepJob, { rounds, brokenAt }: Script, decided: number): StepResult {
  const base = { jobId: job.id, text: '' };
  const fails = (status: StepResult['status'], code: string): StepResult => ({
    ...base,
    status,
    error: { code, message: 'no' },
  });
  if (job.kind === 'decide') {
    if (job.at.rounds === brokenAt) return fails('error', 'CODE_FAILED');
    return { ...base, status: 'ok', value: rounds[job.at.rounds]?.decision ?? END };
  }
  const { how, calls, refused } = rounds[decided]?.ends ?? { how: 'ok', calls: 0, refused: false };
  if (job.kind === 'call' && job.origin === 'model') {
    return refused
      ? { ...fails('error', 'TOOL_FAILED'), miss: true }
      : { ...base, status: 'ok', text: 'called' };
  }
  if (job.kind === 'generate' && job.replies.length === 0 && calls > 0 && job.tools?.length !== 0)
    return { ...base, status: 'ok', toolRequests: requests(calls, refused), usage: USAGE };
  return { ...base, ...ended(job, how, decided) };
}

/** How a piece of work comes to its end. */
function ended(job: StepJob, how: Ends['how'], decided: number): Omit<StepResult, 'jobId'> {
  const fails = (status: StepResult['status'], code: string) =>
    ({ status, text: '', error: { code, message: 'no' } }) as const;
  if (how === 'error') return fails('error', 'STEP_FAILED');
  if (how === 'denied') return fails('denied', 'STEP_DENIED');
  if (how === 'lost' && job.kind === 'call') return fails('lost', 'STEP_LOST');
  if (how === 'late') return fails('error', 'STEP_TIMEOUT');
  if (how === 'invalid') return fails('error', 'MODEL_ANSWER_INVALID');
  if (how === 'truncated' && job.kind === 'generate') return { status: 'truncated', text: 'cut' };
  if (job.kind === 'generate') return { status: 'ok', text: 'said', usage: USAGE };
  return { status: 'ok', text: 'x', value: job.kind === 'ask' ? ['x'] : { gave: decided } };
}

function requests(calls: number, refused: boolean): ToolRequest[] {
  return Array.from({ length: calls }, (_, index) => ({
    callId: `k${index}`,
    server: 'yard',
    tool: 'look',
    args: {},
    ...(refused && index === 0 && { refused: 'not that one' }),
  }));
}

interface Manner {
  /** Called between two events; may swap the turn for a reloaded one. */
  readonly between?: (turn: Turn) => Turn;
  /** Every result so far is delivered once more after each event. */
  readonly repeat?: boolean;
  /** Which of the open jobs is answered next. */
  readonly pick?: (count: number) => number;
  /** After so many results the turn is cancelled. */
  readonly cancelAfter?: number;
}

interface Finished {
  readonly outcome: TurnOutcome;
  readonly events: TraceEvent[];
  readonly asked: string[];
  readonly state: string;
}

const NOTHING = { jobs: [], dropped: [], events: [] };

function run(given: Script, manner: Manner = {}): Finished {
  const program = programOf(given);
  const start = startTurn(program, { turnId: turnId('t1'), vars: { input: 'now' } }, 0);
  let turn = start.turn;
  let decided = -1;
  const open: StepJob[] = [];
  const done: StepResult[] = [];
  const finished = { events: [] as TraceEvent[], asked: [] as string[] };
  let outcome: TurnOutcome | undefined;
  const take = (advance: Advance): void => {
    finished.events.push(...advance.events);
    finished.asked.push(...advance.jobs.map((job) => JSON.stringify(job)));
    open.push(...advance.jobs);
    for (const id of advance.dropped) {
      const [job] = open.splice(
        open.findIndex((one) => one.id === id),
        1,
      );
      // Whoever worked at it did not hear of it, and says how it went.
      if (job !== undefined) done.push(answer(job, given, decided));
    }
    if (advance.outcome !== undefined) expect(outcome).toBeUndefined();
    outcome = advance.outcome ?? outcome;
  };
  take(start.advance);
  for (let answered = 0; open.length > 0; answered++) {
    if (answered > MOST_JOBS) throw new Error('the turn goes round in circles');
    turn = manner.between?.(turn) ?? turn;
    if (answered === manner.cancelAfter)
      take(cancelTurn(turn, { code: 'TURN_CANCELLED', message: 'enough' }, 0));
    else {
      const [job] = open.splice(manner.pick?.(open.length) ?? 0, 1) as [StepJob];
      const result = answer(job, given, decided);
      if (job.kind === 'decide') decided = job.at.rounds;
      done.push(result);
      take(applyResult(turn, result, 0));
    }
    if (manner.repeat) for (const again of done) expect(applyResult(turn, again, 0)).toEqual(NOTHING);
  }
  turn = manner.between?.(turn) ?? turn;
  for (const again of done) expect(applyResult(turn, again, 0)).toEqual(NOTHING);
  if (outcome === undefined) throw new Error('the turn has no job left and no outcome: it is stuck');
  return { ...finished, outcome, state: JSON.stringify(turn.save()) };
}

function reload(turn: Turn): Turn {
  return loadTurn(turn.program, JSON.parse(JSON.stringify(turn.save())) as StateRecord[]);
}

describe('a turn of any code', () => {
  it('ends, with one row for all it has begun', () => {
    fc.assert(
      fc.property(script, (given) => {
        const { outcome, events } = run(given);
        expect(outcome.status).toMatch(/^(completed|failed|denied|refused|blocked|requirement_failed)$/);
        expect(outcome.error === null).toBe(outcome.status !== 'failed' && outcome.status !== 'denied');
        expect(outcome.exitReason === null).toBe(outcome.status === 'completed' || outcome.error !== null);
        const checked = events.flatMap((event) =>
          event.type === 'requirement.checked' ? [event.requirement] : [],
        );
        expect(outcome.requirements ?? []).toEqual(checked);
        const { steps } = assembleTrace(events);
        const paths = steps.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        const started = events
          .filter(({ type }) => type === 'step.started')
          .map((event) => 'path' in event && event.path);
        expect(paths).toEqual(expect.arrayContaining(started));
        expect(steps.at(-1)).toMatchObject({ path: '0', kind: 'code' });
      }),
      { numRuns: RUNS },
    );
  });

  it('comes to the same however it is saved, loaded, answered twice and too late (M1, M2, M3)', () => {
    fc.assert(
      fc.property(script, fc.infiniteStream(fc.boolean()), (given, stream) => {
        const between = (turn: Turn): Turn => (stream.next().value ? reload(turn) : turn);
        expect(run(given, { between, repeat: true })).toEqual(run(given));
      }),
      { numRuns: RUNS },
    );
  });

  it('comes to the same in whatever order the calls of a model come back', () => {
    fc.assert(
      fc.property(script, fc.infiniteStream(fc.nat()), (given, stream) => {
        const pick = (count: number): number => (stream.next().value as number) % count;
        const { outcome, state } = run(given);
        expect(run(given, { pick, repeat: true })).toMatchObject({ outcome, state });
      }),
      { numRuns: RUNS },
    );
  });

  it('is cancelled at any time, and nothing that comes later changes it', () => {
    fc.assert(
      fc.property(script, fc.nat({ max: 20 }), fc.boolean(), (given, cancelAfter, repeat) => {
        const { outcome, events } = run(given, { cancelAfter, repeat });
        const whole = run(given);
        if (outcome.status !== 'cancelled') expect(outcome).toEqual(whole.outcome);
        expect(assembleTrace(events).steps.at(-1)).toMatchObject({ path: '0' });
        expect(run(given, { cancelAfter, repeat, between: reload }).outcome).toEqual(outcome);
      }),
      { numRuns: RUNS },
    );
  });

  it('tells a driver every change, and nothing else it needs (T2)', () => {
    fc.assert(
      fc.property(script, (given) => {
        const stored = new Map<string, string>();
        const between = (turn: Turn): Turn => {
          const { written, removed } = turn.takeChanges();
          for (const record of written) stored.set(record.key, JSON.stringify(record));
          for (const key of removed) stored.delete(key);
          const sorted = [...stored].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
          expect(sorted).toEqual(turn.save().map((record) => JSON.stringify(record)));
          return turn;
        };
        run(given, { between });
      }),
      { numRuns: RUNS },
    );
  });
});
