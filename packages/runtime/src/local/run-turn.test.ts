import { SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';
import { compileProgram, loadSkill, type Program } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import type { Execute } from './running-job.ts';
import { runTurn } from './run-turn.ts';

function programOf(workflow: string): Program {
  const head = 'skill_engine_version: "2.5.0"\nname: local\ndescription: For a test.\nworkflow:\n';
  const loaded = loadSkill(head + workflow.replace(/^/gm, '  '));
  if (loaded.skill === null) throw new Error(loaded.diagnostics.map((found) => found.message).join('\n'));
  return compileProgram(loaded.skill);
}

const ok = (job: StepJob, text = 'ok'): StepResult => ({ jobId: job.id, status: 'ok', text });

/** A promise that is settled from outside. */
function deferred<T>() {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

const LOOP = programOf(`tools: [srv]
vars: {rows: "1\\n2\\n3\\n4"}
steps:
  - for_each:
      in: rows
      as: row
      collect: out
      on_error: continue
      steps:
        - {name: first, call: {tool: "srv:a", args: {row: "{{row}}"}, save_as: a}}
        - {name: second, call: {tool: "srv:b", args: {a: "{{a}}"}, save_as: out}}`);

describe('runTurn', () => {
  it('runs jobs whose executor answers at once, and those whose executor takes its time, alike', async () => {
    const later: Execute = (job) => Promise.resolve(ok(job, job.path));
    const atOnce: Execute = (job) => ok(job, job.path);
    const [slow, fast] = await Promise.all([
      runTurn({ program: LOOP, turnId: 'a', execute: later }),
      runTurn({ program: LOOP, turnId: 'a', execute: atOnce }),
    ]);
    expect(slow.outcome).toEqual(fast.outcome);
    expect(slow.outcome.vars.out).toBe('0.i0.1\n\n0.i1.1\n\n0.i2.1\n\n0.i3.1');
    expect(slow.steps.map((row) => row.path)).toEqual(fast.steps.map((row) => row.path));
  });

  it('never has more jobs running than it has places', async () => {
    let running = 0;
    let most = 0;
    const execute: Execute = async (job) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return ok(job);
    };
    await runTurn({ program: LOOP, turnId: 'a', execute, concurrency: 2 });
    expect(most).toBe(2);
  });

  it('takes what the sequential run would do first: with one place the order is exactly that (D2)', async () => {
    const order: string[] = [];
    const execute: Execute = async (job) => {
      order.push(job.path);
      return ok(job);
    };
    await runTurn({ program: LOOP, turnId: 'a', execute, concurrency: 1 });
    expect(order).toEqual(['0.i0.0', '0.i0.1', '0.i1.0', '0.i1.1', '0.i2.0', '0.i2.1', '0.i3.0', '0.i3.1']);
  });

  it('cancels: running work is aborted by signal and the turn ends at once (D3)', async () => {
    const controller = new AbortController();
    const aborted = deferred<unknown>();
    const execute: Execute = (_job, { signal }) => {
      signal.addEventListener('abort', () => aborted.settle(signal.reason), { once: true });
      controller.abort(new Error('the caller went away'));
      return new Promise(() => {});
    };
    const program = programOf('steps: [{name: ask, instruction: go}]');
    const report = await runTurn({ program, turnId: 'a', execute, signal: controller.signal });
    expect(report.outcome).toMatchObject({ status: 'cancelled', error: { message: 'the caller went away' } });
    expect(report.steps).toMatchObject([{ name: 'ask', outcome: 'error', reason: 'the caller went away' }]);
    expect(SkillyardError.is(await aborted.promise, 'TURN_CANCELLED')).toBe(true);
  });

  it('ends a turn that is cancelled before it began', async () => {
    const execute: Execute = (job) => ok(job);
    const signal = AbortSignal.abort(new Error('too late'));
    const report = await runTurn({ program: LOOP, turnId: 'a', execute, signal });
    expect(report.outcome.status).toBe('cancelled');
  });

  it('fails a step with STEP_TIMEOUT when its work takes too long, and aborts the work', async () => {
    const aborted = deferred<unknown>();
    const execute: Execute = (job, { signal }) => {
      if (job.step !== 'slow') return ok(job, 'went on');
      signal.addEventListener('abort', () => aborted.settle(signal.reason), { once: true });
      return new Promise(() => {});
    };
    const program = programOf(
      'steps:\n  - {name: slow, instruction: go, timeout: 20ms, save_as: a, on_error: continue}\n  - {instruction: next}',
    );
    const report = await runTurn({ program, turnId: 'a', execute });
    expect(report.outcome).toMatchObject({ status: 'completed', answer: 'went on' });
    expect(report.outcome.vars.a).toContain('"slow" took longer than its timeout of 20 ms');
    expect(SkillyardError.is(await aborted.promise, 'STEP_TIMEOUT')).toBe(true);
  });

  it('ends the turn at its limit of seconds', async () => {
    let nowMs = 0;
    const execute: Execute = () => {
      nowMs = 5000;
      return new Promise(() => {});
    };
    const program = programOf('limits: {seconds: 1}\nsteps: [{instruction: go}]');
    const report = await runTurn({ program, turnId: 'a', execute, now: () => nowMs });
    expect(report.outcome).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
  });

  it('ends loudly when an executor throws: that is a bug, not a result', async () => {
    const execute: Execute = () => Promise.reject(new Error('executor bug'));
    await expect(runTurn({ program: LOOP, turnId: 'a', execute })).rejects.toThrow('executor bug');
  });

  it('ignores what comes back after the turn has ended', async () => {
    const late = deferred<StepResult>();
    const program = programOf(`steps:
  - parallel:
      branches:
        - [{name: late, instruction: a}]
        - [{name: quick, instruction: b}]`);
    const controller = new AbortController();
    const execute: Execute = (job) => {
      if (job.step === 'late') return late.promise;
      controller.abort(new Error('enough'));
      return ok(job);
    };
    const report = await runTurn({ program, turnId: 'a', execute, signal: controller.signal });
    late.settle({ jobId: 'a.0.b0.0.g0.0' as StepResult['jobId'], status: 'ok', text: 'too late' });
    expect(report.outcome.vars).toEqual({});
  });
});
