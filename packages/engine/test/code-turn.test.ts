import {
  type CodeEvent,
  type Decision,
  type Directive,
  type JobId,
  type StepJob,
  type StepResult,
  type TraceEvent,
  type TurnOutcome,
  turnId,
} from '@skillyard/contracts';
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

const SHA = 'a'.repeat(64);
const HEADER = `
skill_engine_version: "2.5.0"
name: ferry
description: Mends a ferry.
mode: code
servers: [yard]
code: {runtime: kit, file: bin/ferry.mjs, sha256: ${SHA}}
`;

function compile(text: string) {
  const loaded = loadSkill(text);
  if (loaded.skill === null) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  return compileProgram(loaded.skill, 'code');
}

const GENERATE = {
  do: 'generate',
  step: 'look',
  instruction: 'Look at {{the ferry}}.',
  system: 'Be brief.',
  schema: null,
  tools: null,
  model: '',
} as const satisfies Directive;
const ACT: Directive = { do: 'act', step: 'weld', action: 'welder', effect: 'once', input: { seam: 3 } };
const ASK: Directive = { do: 'ask', step: 'sure', questions: [{ kind: 'confirm', text: 'Weld?' }] };
const COMMAND: Directive = { do: 'command', step: 'build', command: 'make ferry', timeoutMs: 5000 };
const END: Directive = { do: 'end', output: { mended: true }, error: null };

const PROGRAM = HEADER.replace('runtime: kit, file: bin/ferry.mjs', 'runtime: program, file: skill.json');

/** Decides by the round alone, as code that replays its journal does. */
function decide(script: readonly Directive[]) {
  return (round: number): Decision => ({
    directive: script[round] ?? END,
    observed: [],
    passed: round === 1 ? ['gate'] : [],
  });
}

interface World {
  readonly script: readonly Directive[];
  readonly answer?: (job: StepJob) => Omit<StepResult, 'jobId'> | undefined;
  /** Whether the turn is saved and loaded between two events. */
  readonly reload?: boolean;
}

interface Seen {
  readonly jobs: StepJob[];
  readonly events: TraceEvent[];
  readonly told: CodeEvent[];
  readonly outcome: TurnOutcome | undefined;
}

function run(text: string, world: World): Seen {
  const program = compile(text);
  const decided = decide(world.script);
  let { turn, advance } = startTurn(program, { turnId: turnId('t'), vars: { input: 'now' } }, 0);
  const seen = { jobs: [] as StepJob[], events: [] as TraceEvent[], told: [] as CodeEvent[] };
  const open: StepJob[] = [];
  let outcome: TurnOutcome | undefined;
  const take = (next: Advance): void => {
    open.push(...next.jobs);
    seen.jobs.push(...next.jobs);
    seen.events.push(...next.events);
    outcome = next.outcome ?? outcome;
  };
  take(advance);
  for (let job = open.shift(); job !== undefined; job = open.shift()) {
    if (world.reload === true) turn = reloaded(turn);
    if (job.kind === 'decide') seen.told.push(job.event);
    const given = world.answer?.(job) ?? usual(job, decided);
    advance = applyResult(turn, { jobId: job.id, ...given }, 0);
    take(advance);
    expect(applyResult(turn, { jobId: job.id, ...given }, 0)).toEqual({ jobs: [], dropped: [], events: [] });
  }
  return { ...seen, outcome };
}

function reloaded(turn: Turn): Turn {
  return loadTurn(turn.program, JSON.parse(JSON.stringify(turn.save())) as StateRecord[]);
}

function usual(job: StepJob, decided: (round: number) => Decision): Omit<StepResult, 'jobId'> {
  switch (job.kind) {
    case 'decide':
      return { status: 'ok', text: '', value: decided(job.at.rounds) };
    case 'ask':
      return { status: 'ok', text: 'yes', value: [true] };
    case 'call':
      if (job.server === 'command') return { status: 'ok', text: '', value: { exit_code: 2 } };
      return { status: 'ok', text: '', value: { welded: job.args.seam ?? null } };
    default:
      return { status: 'ok', text: `said in ${job.step}` };
  }
}

const SCRIPT = [GENERATE, ASK, ACT, END];

describe('a turn whose flow is code', () => {
  it('does what the code decides and tells it what came of it', () => {
    const { told, outcome, jobs } = run(HEADER, { script: SCRIPT });
    expect(told).toEqual([
      { type: 'start', vars: { input: 'now' } },
      { type: 'reply', text: 'said in look', error: null },
      { type: 'answered', answers: [true] },
      { type: 'acted', value: { welded: 3 } },
    ]);
    expect(jobs.map(({ id }) => id)).toEqual([
      't.0.d0',
      't.0.v0.g0.0',
      't.0.d1',
      't.0.v2.q',
      't.0.d2',
      't.0.v3.c',
      't.0.d3',
    ]);
    expect(outcome).toMatchObject({
      status: 'completed',
      answer: '{"mended":true}',
      answeredBy: 'code',
      usage: { generations: 1, calls: 1 },
    });
  });

  it('leaves a row for every piece of work, every gate and the code around them', () => {
    const { steps } = assembleTrace(run(HEADER, { script: SCRIPT }).events);
    expect(steps.map(({ path, name, kind, outcome }) => [path, name, kind, outcome])).toEqual([
      ['0.v0', 'look', 'instruction', 'ok'],
      ['0.v1', 'gate', 'switch', 'ok'],
      ['0.v2', 'sure', 'ask', 'ok'],
      ['0.v3', 'weld', 'call', 'ok'],
      ['0', 'ferry', 'code', 'ok'],
    ]);
  });

  it('comes to the same when it is saved and loaded between any two events', () => {
    const { events, jobs, outcome } = run(HEADER, { script: SCRIPT });
    expect(run(HEADER, { script: SCRIPT, reload: true })).toMatchObject({ events, jobs, outcome });
  });

  it('takes an instruction as it is and goes on in one conversation', () => {
    const { jobs } = run(HEADER, { script: [GENERATE, GENERATE, { ...GENERATE, step: 'other' }] });
    const asked = jobs.filter((job) => job.kind === 'generate');
    expect(
      asked.map(({ instruction, conversation, round, goesOn, system, tools }) => ({
        instruction,
        conversation,
        round,
        goesOn,
        system,
        tools,
      })),
    ).toEqual(
      [0, 1, 0].map((goesOn, round) => ({
        instruction: GENERATE.instruction,
        conversation: '0.talk',
        round,
        goesOn,
        system: 'Be brief.',
        tools: ['yard'],
      })),
    );
  });

  it('narrows the tools of a generation to those that the skill lists', () => {
    const { jobs } = run(HEADER, { script: [{ ...GENERATE, tools: ['yard:look', 'bank', 'bank:pay'] }] });
    expect(jobs.find((job) => job.kind === 'generate')?.tools).toEqual(['yard:look']);
  });

  it('holds the tool loop of a generation, and counts its rounds for those that follow', () => {
    let asked = 0;
    const { jobs, told } = run(HEADER, {
      script: [GENERATE, GENERATE],
      answer: (job) =>
        job.kind === 'generate' && asked++ === 0
          ? {
              status: 'ok',
              text: '',
              toolRequests: [{ callId: '1', server: 'yard', tool: 'look', args: {} }],
            }
          : undefined,
    });
    expect(jobs.filter((job) => job.kind === 'generate').map(({ round }) => round)).toEqual([0, 1, 2]);
    expect(jobs.find((job) => job.kind === 'call')).toMatchObject({ origin: 'model', server: 'yard' });
    expect(told[1]).toMatchObject({ type: 'reply', text: 'said in look' });
  });

  it('tells the code of an answer that is not what it asked for, and takes its place in the conversation', () => {
    let asked = 0;
    const error = { code: 'MODEL_ANSWER_INVALID', message: 'no JSON' };
    const { jobs, told, outcome } = run(HEADER, {
      script: [GENERATE, GENERATE],
      answer: (job) =>
        job.kind === 'generate' && asked++ === 0 ? { status: 'error', text: '', error } : undefined,
    });
    expect(told[1]).toEqual({ type: 'reply', text: '', error });
    expect(jobs.filter((job) => job.kind === 'generate')).toMatchObject([
      { round: 0, goesOn: 0 },
      { round: 0, goesOn: 1 },
    ]);
    expect(outcome?.status).toBe('completed');
  });

  it('tells the code that nobody answered in time', () => {
    const { told, events } = run(HEADER, {
      script: [ASK],
      answer: (job) =>
        job.kind === 'ask'
          ? { status: 'error', text: '', error: { code: 'STEP_TIMEOUT', message: 'too late' } }
          : undefined,
    });
    expect(told[1]).toEqual({ type: 'answered', answers: null });
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('question.'));
    expect(types).toEqual(['question.asked', 'question.expired']);
  });

  it.each([
    ['its code cannot be asked', 'decide', 'code', '0'],
    ['a model is not there', 'generate', 'instruction', '0.v0'],
    ['an action fails', 'call', 'call', '0.v0'],
  ] as const)('ends when %s', (_why, kind, row, path) => {
    const { outcome, events } = run(HEADER, {
      script: [kind === 'call' ? ACT : GENERATE],
      answer: (job) =>
        job.kind === kind
          ? { status: 'error', text: '', error: { code: 'STEP_FAILED', message: 'it broke' } }
          : undefined,
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'STEP_FAILED' } });
    expect(outcome?.error?.message).toContain('it broke');
    const { steps } = assembleTrace(events);
    expect(steps[0]).toMatchObject({ path, kind: row, outcome: 'error', reason: 'it broke' });
    expect(steps.at(-1)).toMatchObject({ path: '0', kind: 'code', outcome: 'error' });
  });

  it.each([
    ['{"welded": 3}', { welded: 3 }],
    ['by hand', 'by hand'],
    ['', null],
  ])('is told what a person gave in the place of an action: %j', (text, value) => {
    const { told } = run(HEADER, {
      script: [ACT],
      answer: (job) => (job.kind === 'call' ? { status: 'ok', text } : undefined),
    });
    expect(told[1]).toEqual({ type: 'acted', value });
  });

  it('ends when its code goes round in circles', () => {
    const { outcome, jobs } = run(HEADER, { script: Array.from({ length: 10_001 }, () => ACT) });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
    expect(jobs.filter(({ kind }) => kind === 'decide')).toHaveLength(10_000);
  });

  it('fails with a question that nobody could answer', () => {
    const { outcome } = run(HEADER, {
      script: [{ do: 'ask', step: 'which', questions: [{ kind: 'choice', text: 'Which?' }] }],
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'CODE_FAILED' } });
  });

  it('fails with a result that is no decision', () => {
    const { outcome } = run(HEADER, {
      script: [],
      answer: (job) => (job.kind === 'decide' ? { status: 'ok', text: 'go' } : undefined),
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'CODE_FAILED' } });
  });

  it('ends as failed when the code says so', () => {
    const error = { code: 'VALIDATION', message: 'three answers were wrong' };
    const { outcome } = run(HEADER, { script: [{ do: 'end', output: null, error }] });
    expect(outcome).toMatchObject({ status: 'failed', error });
  });

  it('has a command run once by the workers of commands, and is told what it did', () => {
    const { jobs, told, events } = run(PROGRAM, { script: [COMMAND], reload: true });
    expect(jobs[1]).toMatchObject({
      id: 't.0.v0.c',
      kind: 'call',
      server: 'command',
      tool: 'run',
      args: { command: 'make ferry', timeoutMs: 5000 },
      effect: 'once',
      origin: 'code',
      at: { code: { runtime: 'program', name: 'ferry', sha256: SHA }, rounds: 1 },
      step: 'build',
      timeoutMs: 65_000,
    });
    expect(told[1]).toEqual({ type: 'acted', value: { exit_code: 2 } });
    const [row] = assembleTrace(events).steps;
    expect(row).toMatchObject({ path: '0.v0', name: 'build', kind: 'call', outcome: 'ok', calls: 1 });
  });

  it('ends when nobody knows what became of its command', () => {
    const error = { code: 'STEP_LOST', message: 'its worker died' };
    const { outcome, told } = run(PROGRAM, {
      script: [COMMAND],
      answer: (job) => (job.kind === 'call' ? { status: 'lost', text: '', error } : undefined),
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'STEP_LOST' } });
    expect(told).toHaveLength(1);
  });

  it('takes for a command what an operator saw of it, and nothing that no command could have done', () => {
    const given = (text: string): ReturnType<typeof run> =>
      run(PROGRAM, {
        script: [COMMAND],
        answer: (job) => (job.kind === 'call' ? { status: 'ok', text } : undefined),
      });
    const seen = { exit_code: 0, stdout: 'afloat', stderr: '' };
    expect(given(JSON.stringify(seen)).told[1]).toEqual({ type: 'acted', value: seen });
    for (const text of ['afloat', '{"exit_code": "0", "stdout": "", "stderr": ""}', '{"exit_code": 0}']) {
      const { outcome, told } = given(text);
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'STEP_FAILED' } });
      expect(outcome?.error?.message).toContain('it needs {"exit_code": whole number');
      expect(told).toHaveLength(1);
    }
  });

  it.each(['refused', 'blocked', 'requirement_failed'] as const)(
    'ends as %s with the reason and what was claimed, and that is no error',
    (status) => {
      const stop = { status, reason: 'the slip is taken' };
      const requirements = [{ claim: 'it floats', passed: false, evidenceDigest: `sha256:${SHA}` }];
      const { outcome, events } = run(PROGRAM, {
        script: [{ do: 'end', output: null, error: null, stop, requirements }],
        reload: true,
      });
      expect(outcome).toMatchObject({
        status,
        exitReason: stop.reason,
        error: null,
        answer: '',
        requirements,
      });
      expect(events.filter(({ type }) => type === 'requirement.checked')).toEqual([
        { type: 'requirement.checked', path: '0', requirement: requirements[0], atMs: 0 },
      ]);
      expect(events.at(-1)).toMatchObject({ type: 'turn.finished', status });
      expect(assembleTrace(events).steps.at(-1)).toMatchObject({
        kind: 'code',
        outcome: 'exit',
        reason: stop.reason,
      });
    },
  );

  it('keeps what was claimed also when it is completed or fails', () => {
    const requirements = [{ claim: 'it floats', passed: true }];
    const completed = run(PROGRAM, { script: [{ ...END, requirements }] });
    expect(completed.outcome).toMatchObject({ status: 'completed', requirements, exitReason: null });
    const error = { code: 'PROGRAM_DIVERGED', message: 'it asked for something else' };
    const failed = run(PROGRAM, { script: [{ do: 'end', output: null, error, requirements }] });
    expect(failed.outcome).toMatchObject({ status: 'failed', error, requirements });
    expect(run(PROGRAM, { script: [END] }).outcome).not.toHaveProperty('requirements');
  });

  it('stops at the limits of the skill', () => {
    const text = HEADER.replace(`${SHA}}`, `${SHA}, limits: {generations: 2}}`);
    const { outcome } = run(text, { script: [GENERATE, GENERATE, GENERATE] });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
  });

  it.each([
    ['a question is open', ASK, 't.0.v0.q'],
    ['a command runs', COMMAND, 't.0.v0.c'],
  ])('drops its job and says where it was when it is cancelled while %s', (_what, wanted, dropped) => {
    const { turn, advance } = startTurn(compile(PROGRAM), { turnId: turnId('t') }, 0);
    const [first] = advance.jobs;
    const value = decide([wanted])(0);
    applyResult(turn, { jobId: first?.id as JobId, status: 'ok', text: '', value }, 1);
    const end = cancelTurn(turn, { code: 'TURN_CANCELLED', message: 'enough' }, 2);
    expect(end.dropped).toEqual([dropped]);
    expect(assembleTrace(end.events).steps.map(({ path, reason }) => [path, reason])).toEqual([
      ['0.v0', 'enough'],
      ['0', 'enough'],
    ]);
  });
});

describe('the code of a skill file', () => {
  it.each([
    ['another runtime', HEADER.replace('runtime: kit', 'runtime: lua')],
    ['a file outside its folder', HEADER.replace('bin/ferry.mjs', '../ferry.mjs')],
    ['a hash that is none', HEADER.replace(SHA, 'abc')],
  ])('is refused with %s', (_what, text) => {
    const { skill, diagnostics } = loadSkill(text);
    expect(skill).toBeNull();
    expect(diagnostics[0]).toMatchObject({ code: 'CODE_INVALID' });
  });

  it('needs format 2.5.0', () => {
    const { diagnostics } = loadSkill(HEADER.replace('2.5.0', '2.4.1'));
    expect(diagnostics.map(({ code }) => code)).toContain('FIELD_NEEDS_VERSION');
  });

  it('is missed when the mode names it', () => {
    const { diagnostics } = loadSkill(HEADER.replace(/code: \{.*\}/, ''));
    expect(diagnostics.map(({ code }) => code)).toContain('MODE_INVALID');
  });
});
