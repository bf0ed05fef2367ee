import {
  type Answers,
  type AskJob,
  type JobId,
  NO_ORIGIN,
  type OpenQuestion,
  SkillyardError,
  type StepResult,
  type TraceEvent,
  type TurnId,
  turnOfJob,
  type TurnOrigin,
} from '@skillyard/contracts';
import { answerResult, checkAnswers } from '@skillyard/engine';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';
import { postKept } from '../results/post-result.ts';
import { leaveQuestions } from './list-question.ts';
import { comparePlaces, type QuestionPlace, readPlace, textOfPlace } from './question-cursor.ts';
import { DECIDE_QUESTION } from './question-script.ts';

/** Which open questions are wanted. */
export interface QuestionListQuery {
  /** `all`: of every tenant that has had turns. */
  readonly tenants: 'all' | readonly string[];
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Questions of a page; 50 when absent. */
  readonly limit?: number;
}

export interface QuestionListPage {
  /** The one that has waited longest first. */
  readonly questions: OpenQuestion[];
  /** Where to go on; null after the last one. */
  readonly next: string | null;
}

const DEFAULT_LIMIT = 50;
/** Entries looked at for one page. Those that are answered already are few: an answer is applied in milliseconds. */
const MOST_LOOKED_AT = 5000;
/** Entries of a trace that are read together, to find out what became of a question. */
const TRACE_COUNT = 1000;

/** The questions that turns ask people: which are open, and their answers. */
export class Questions {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /**
   * Open questions, the one that has waited longest first.
   * @throws SkillyardError INPUT_INVALID if the cursor is none
   */
  async list(query: QuestionListQuery): Promise<QuestionListPage> {
    const { limit = DEFAULT_LIMIT, cursor } = query;
    const tenants = query.tenants === 'all' ? await this.#tenants() : query.tenants;
    const found: OpenQuestion[] = [];
    let after = cursor === undefined ? null : readPlace(cursor);
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += limit) {
      const some = await this.#entered(tenants, after, limit);
      const open = await Promise.all(some.map((place) => this.#read(place)));
      found.push(...open.filter((question) => question !== null));
      const more = found.length > limit;
      const page = found.slice(0, limit);
      if (more || some.length < limit) {
        const last = page.at(-1);
        return { questions: page, next: more && last !== undefined ? textOfPlace(last) : null };
      }
      after = some.at(-1) ?? null;
    }
    return { questions: found, next: after === null ? null : textOfPlace(after) };
  }

  /** The open questions of one turn, in the order of their ids. */
  async ofTurn(turnId: TurnId): Promise<OpenQuestion[]> {
    const { redis, keys } = this.#connection;
    const jobs = await redis.hvals(keys.turn(turnId).jobs);
    const asked = jobs
      .map((json) => (JSON.parse(json) as JobEnvelope).job)
      .filter((job) => job.kind === 'ask')
      .map(({ id }) => id)
      .toSorted();
    const tenant = (await this.#origin(turnId)).tenant;
    const open = await Promise.all(
      asked.map(async (jobId) => {
        const score = await redis.zscore(keys.questions(tenant), jobId);
        // Not entered yet: it is being asked at this moment.
        return this.#read({ tenant, jobId, askedAtMs: score === null ? Date.now() : Number(score) });
      }),
    );
    return open.filter((question) => question !== null);
  }

  /**
   * Answers the questions of a job. The answer holds from the moment this returns, whoever dies then: its turn goes on
   * with it.
   * @throws SkillyardError QUESTION_NOT_FOUND; QUESTION_CLOSED if something was decided before; ANSWER_INVALID
   */
  async answer(turnId: TurnId, jobId: JobId, answers: Answers): Promise<void> {
    const job = await this.#pending(jobId);
    if (job === null || turnOfJob(jobId) !== turnId) throw await this.#whyNot(turnId, jobId);
    const wrong = checkAnswers(job.questions, answers);
    if (wrong !== null)
      throw new SkillyardError('ANSWER_INVALID', `the answer is not taken: ${wrong}`, { details: { jobId } });
    if (!(await this.#decide(answerResult(job, answers)))) throw closed(jobId);
  }

  /**
   * Ends the waiting for an answer because its time is over.
   * @returns whether the job is a question: one that was answered before keeps its answer
   */
  async expire(jobId: JobId): Promise<boolean> {
    if ((await this.#pending(jobId)) === null) return false;
    const error = { code: 'STEP_TIMEOUT', message: 'nobody answered within the timeout of the step' };
    await this.#decide({ jobId, status: 'error', text: '', error });
    return true;
  }

  async #decide(result: StepResult): Promise<boolean> {
    const turnId = turnOfJob(result.jobId);
    const { jobs, claims, payloads } = this.#connection.keys.turn(turnId);
    const call = { keys: [jobs, claims, payloads], args: [result.jobId, JSON.stringify(result)] };
    if ((await DECIDE_QUESTION.run(this.#connection.redis, call)) !== 1) return false;
    try {
      await postKept(this.#connection, turnId, [result.jobId]);
    } catch {
      // It is decided all the same. Whoever owns the turn finds the result when it looks through its turns, as after a
      // crash here; an error would make the caller answer again, and be told that it was too late.
    }
    return true;
  }

  /** The job, if it is a question that a turn waits for. */
  async #pending(jobId: JobId): Promise<AskJob | null> {
    const { redis, keys } = this.#connection;
    const json = await redis.hget(keys.turn(turnOfJob(jobId)).jobs, jobId);
    const job = json === null ? null : (JSON.parse(json) as JobEnvelope).job;
    return job?.kind === 'ask' ? job : null;
  }

  async #tenants(): Promise<string[]> {
    return this.#connection.redis.smembers(this.#connection.keys.tenants);
  }

  /** The first entries of several lists together. */
  async #entered(
    tenants: readonly string[],
    after: QuestionPlace | null,
    count: number,
  ): Promise<EnteredQuestion[]> {
    const lists = await Promise.all(tenants.map((tenant) => this.#enteredOf(tenant, after, count)));
    return lists.flat().toSorted(comparePlaces).slice(0, count);
  }

  async #enteredOf(tenant: string, after: QuestionPlace | null, count: number): Promise<EnteredQuestion[]> {
    const { redis, keys } = this.#connection;
    const found: EnteredQuestion[] = [];
    const from = after?.askedAtMs ?? '-inf';
    // Questions of one millisecond may fill a page: there is no place between them to begin at.
    for (let offset = 0; found.length < count; offset += count) {
      const key = keys.questions(tenant);
      const rows = await redis.zrangebyscore(key, from, '+inf', 'WITHSCORES', 'LIMIT', offset, count);
      for (let index = 0; index + 1 < rows.length; index += 2) {
        const place = { tenant, jobId: rows[index] as JobId, askedAtMs: Number(rows[index + 1]) };
        if (after === null || comparePlaces(place, after) > 0) found.push(place);
      }
      if (rows.length < 2 * count) break;
    }
    return found.slice(0, count);
  }

  /** What is shown of a question; null when it is not open any longer. */
  async #read({ tenant, jobId, askedAtMs }: EnteredQuestion): Promise<OpenQuestion | null> {
    const { redis, keys } = this.#connection;
    const turnId = turnOfJob(jobId);
    const { meta, claims } = keys.turn(turnId);
    const [job, claim, [name, file]] = await Promise.all([
      this.#pending(jobId),
      redis.hget(claims, jobId),
      redis.hmget(meta, 'name', 'file'),
    ]);
    if (job === null) await leaveQuestions(this.#connection, tenant, [jobId]);
    // Decided, and about to be applied.
    if (job === null || claim !== null) return null;
    const { path, step, questions, timeoutMs } = job;
    return {
      turnId,
      jobId,
      tenant,
      skill: name ?? file ?? '',
      path,
      step,
      questions,
      askedAtMs,
      expiresAtMs: timeoutMs === undefined ? null : askedAtMs + timeoutMs,
    };
  }

  async #origin(turnId: TurnId): Promise<TurnOrigin> {
    const { redis, keys } = this.#connection;
    const origin = await redis.hget(keys.turn(turnId).meta, 'origin');
    return origin === null ? NO_ORIGIN : (JSON.parse(origin) as TurnOrigin);
  }

  /** Why a question that nobody waits for cannot be answered: the trace of its turn says whether it was asked. */
  async #whyNot(turnId: TurnId, jobId: JobId): Promise<SkillyardError> {
    const { redis, keys } = this.#connection;
    const { trace } = keys.turn(turnId);
    for (let from = '-'; ;) {
      const entries = await redis.xrange(trace, from, '+', 'COUNT', TRACE_COUNT);
      for (const [, fields] of entries) {
        const event = JSON.parse(fields[1] ?? '{}') as TraceEvent;
        if (event.type === 'question.asked' && event.jobId === jobId) return closed(jobId);
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < TRACE_COUNT) break;
      from = `(${last[0]}`;
    }
    const message = `turn ${turnId} has not asked a question "${jobId}"; its open ones are in the list of its questions`;
    return new SkillyardError('QUESTION_NOT_FOUND', message, { details: { jobId } });
  }
}

interface EnteredQuestion extends QuestionPlace {
  readonly tenant: string;
}

function closed(jobId: JobId): SkillyardError {
  const message = `question ${jobId} is no longer open: it was answered, its time is over, or its turn went on without it`;
  return new SkillyardError('QUESTION_CLOSED', message, { details: { jobId } });
}
