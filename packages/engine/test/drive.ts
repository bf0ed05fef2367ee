/** Drives a skill through the machine by hand: what it asks for is visible, what comes back is given. */
import {
  type GenerateJob,
  type JobId,
  type StepJob,
  type StepResult,
  type TraceEvent,
  type TurnOutcome,
  type TurnRadius,
  turnId,
} from '@skillyard/contracts';
import {
  type Advance,
  applyResult,
  assembleTrace,
  cancelTurn,
  compileProgram,
  loadSkill,
  startTurn,
} from '../src/index.ts';
import type { TurnSettings } from '../src/machine/records.ts';

/** The rest of a result, given the job it answers. */
export type Reply = Omit<StepResult, 'jobId' | 'text' | 'status'> & {
  text?: string;
  status?: StepResult['status'];
};

export interface DriveOptions {
  readonly vars?: Record<string, string>;
  readonly settings?: Partial<TurnSettings>;
  readonly version?: string;
  readonly radius?: TurnRadius;
  /** Further keys of the header, as YAML. */
  readonly header?: string;
}

export class Drive {
  readonly turn;
  readonly events: TraceEvent[] = [];
  readonly dropped: JobId[] = [];
  /** Jobs asked for and not answered. */
  readonly open: StepJob[] = [];
  outcome: TurnOutcome | undefined;
  nowMs = 1000;

  /** @param workflow as YAML; empty for a skill without one */
  constructor(workflow: string, options: DriveOptions = {}) {
    const version = options.version ?? '2.4.0';
    const head = `skill_engine_version: "${version}"\nname: driven\ndescription: Driven by a test.\n${options.header ?? ''}`;
    const half = workflow === '' ? '' : `\nworkflow:\n${workflow.replace(/^/gm, '  ')}`;
    const loaded = loadSkill(head + half);
    if (loaded.skill === null) throw new Error(loaded.diagnostics.map((found) => found.message).join('\n'));
    const program = compileProgram(loaded.skill);
    const { vars = {}, settings = {}, radius } = options;
    const start = startTurn(
      program,
      { turnId: turnId('t'), vars, settings, ...(radius && { radius }) },
      this.nowMs,
    );
    this.turn = start.turn;
    this.#take(start.advance);
  }

  /** Answers the open job of a step, or the first open job. */
  answer(reply: Reply, step?: string): void {
    const at = step === undefined ? 0 : this.open.findIndex((job) => job.step === step);
    const [job] = this.open.splice(at, 1);
    if (job === undefined) throw new Error(`no open job ${step ?? ''}`);
    this.#take(applyResult(this.turn, { status: 'ok', text: '', ...reply, jobId: job.id }, this.nowMs));
  }

  /** Answers every open job, and those that follow, until the turn has ended. */
  answerAll(reply: (job: StepJob) => Reply): TurnOutcome {
    for (let job = this.open[0]; job !== undefined; job = this.open[0]) this.answer(reply(job));
    if (this.outcome === undefined) throw new Error('the turn has not ended');
    return this.outcome;
  }

  /** Answers whatever is open with `ok` until the turn has ended. */
  answerAllIfOpen(): void {
    while (this.outcome === undefined) this.answer({ text: 'ok' });
  }

  cancel(message: string): void {
    this.#take(cancelTurn(this.turn, { code: 'TURN_CANCELLED', message }, this.nowMs));
  }

  get generation(): GenerateJob {
    const job = this.open.find((open) => open.kind === 'generate');
    if (job === undefined) throw new Error('no generation is asked for');
    return job;
  }

  /** Rows as `name:outcome`. */
  get rows(): string[] {
    return assembleTrace(this.events).steps.map((row) => `${row.name}:${row.outcome}`);
  }

  row(name: string) {
    const row = assembleTrace(this.events).steps.find((candidate) => candidate.name === name);
    if (row === undefined) throw new Error(`no row ${name}`);
    return row;
  }

  #take(advance: Advance): void {
    this.events.push(...advance.events);
    this.open.push(...advance.jobs);
    this.dropped.push(...advance.dropped);
    for (const id of advance.dropped) {
      const at = this.open.findIndex((job) => job.id === id);
      if (at >= 0) this.open.splice(at, 1);
    }
    this.outcome = advance.outcome ?? this.outcome;
  }
}
