import type {
  ApiScope,
  AuditPage,
  JobId,
  QuestionList,
  QuestionPage,
  TurnId,
  TurnResource,
} from '@skillyard/contracts';
import { enterQuestion, Operator, Questions } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobTimedOut } from '../src/time-is-over.ts';
import { skillOf, startCluster } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const asking = (steps: string): string => skillOf(steps).replace('"2.4.1"', '"2.5.0"');

const LOAN = asking(`
- name: offer
  ask:
    question: Shall {{input}} be ordered?
    options:
      - {value: "yes", label: Order it}
      - {value: "no", label: Leave it}
    save_as: decision
- name: tell
  instruction: "Decision: {{decision}}."
`);
const OPEN = asking(`
- name: call_it
  ask: {question: What is it called?, save_as: title}
- name: tell
  instruction: "It is {{title}}."
`);
const IN_TIME = asking(`
- name: wait
  ask: {question: Go on?, save_as: answer, timeout: 300ms, on_timeout: use, on_timeout_value: nobody}
- name: tell
  instruction: "It was {{answer}}."
`);
const OR_FAIL = asking(`
- name: wait
  ask: {question: Go on?, timeout: 300ms}
`);
const BOTH_WAYS = asking(`
- name: wait
  ask: {question: Go on?, save_as: answer, timeout: 1h, on_timeout: use, on_timeout_value: nobody}
`);

afterAll(async () => redis?.stop());

describe.skipIf(redis === undefined)('questions that turns ask people', () => {
  let rig: HttpRig;
  let tenant = '';
  let key = '';
  let tenants = 0;
  /** What a generation answers with; a test may let one fail. */
  let isBroken = false;

  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, (job) => {
      if (job.kind === 'call') return {};
      if (isBroken) return { status: 'error', text: '', error: { code: 'MODEL_REFUSED', message: 'no' } };
      return { text: job.kind === 'generate' ? `said: ${job.instruction}` : '' };
    });
  });
  afterAll(async () => {
    await rig.stop();
  });
  beforeEach(async () => {
    isBroken = false;
    tenants += 1;
    tenant = `t${tenants}`;
    key = await rig.key(tenant);
  });

  const submit = async (text: string, input = 'it'): Promise<string> =>
    (await rig.call<TurnResource>('submitTurn', { body: { skill: { text }, input }, key })).turnId;
  const read = (turnId: string): Promise<TurnResource> =>
    rig.call<TurnResource>('getTurn', { params: { turnId }, key });
  const ended = (turnId: string): Promise<TurnResource> =>
    until(
      async () => {
        const turn = await read(turnId);
        return turn.outcome === null ? undefined : turn;
      },
      10_000,
      `the end of ${turnId}`,
    );
  const listed = async (query = ''): Promise<QuestionPage> =>
    rig.call<QuestionPage>('listQuestions', { query, key });
  /** Waits until a turn asks, and gives the id of its question. */
  const asked = (turnId: string): Promise<string> =>
    until(
      async () => (await listed('?limit=200')).questions.find((one) => one.turnId === turnId)?.jobId,
      10_000,
      `a question of ${turnId}`,
    );
  const answer = (turnId: string, jobId: string, answers: unknown[]) => ({
    params: { turnId, jobId },
    body: { answers },
    key,
  });

  it('lists a question, takes its answer once, and lets the turn go on with it', async () => {
    const turnId = await submit(LOAN, 'a book');
    const jobId = await asked(turnId);
    const [question] = (await listed()).questions;
    expect(question).toMatchObject({
      turnId,
      jobId,
      tenant,
      skill: 'test-skill',
      step: 'offer',
      path: '0',
      expiresAtMs: null,
      questions: [
        {
          kind: 'choice',
          text: 'Shall a book be ordered?',
          options: [
            { value: 'yes', label: 'Order it' },
            { value: 'no', label: 'Leave it' },
          ],
        },
      ],
    });
    expect(await rig.call<QuestionList>('listTurnQuestions', { params: { turnId }, key })).toEqual({
      questions: [question],
    });
    expect(await read(turnId)).toMatchObject({ status: 'running', waiting: 1 });

    expect(await rig.call('answerQuestion', answer(turnId, jobId, ['yes']))).toEqual({ turnId, jobId });
    expect((await ended(turnId)).outcome).toMatchObject({
      status: 'completed',
      answer: 'said: Decision: yes.',
    });
    expect(await read(turnId)).toMatchObject({ waiting: 0 });
    expect((await listed()).questions).toEqual([]);
    const events = await rig.cluster.events(turnId as TurnId);
    const told = events.filter(({ type }) => type.startsWith('question.'));
    expect(told).toMatchObject([
      { type: 'question.asked', path: '0', jobId },
      { type: 'question.answered', path: '0', jobId },
    ]);
    const audit = await rig.call<AuditPage>('listAudit', { key });
    expect(audit.entries).toContainEqual(
      expect.objectContaining({ operation: 'answerQuestion', target: jobId, status: 202 }),
    );

    const again = await rig.refused('answerQuestion', answer(turnId, jobId, ['no']));
    expect(again).toMatchObject({ status: 409, code: 'QUESTION_CLOSED' });
  });

  it('refuses an answer that does not fit with ANSWER_INVALID, and leaves the question open', async () => {
    const turnId = await submit(LOAN);
    const jobId = await asked(turnId);
    for (const answers of [['maybe'], ['yes', 'no'], [], [true]]) {
      const refusal = await rig.refused('answerQuestion', answer(turnId, jobId, answers));
      expect(refusal).toMatchObject({ status: 422, code: 'ANSWER_INVALID' });
    }
    const wrong = await rig.refused('answerQuestion', answer(turnId, jobId, ['maybe']));
    expect(wrong.detail).toContain('"maybe" is none of the options; offered are "yes", "no"');
    await rig.call('answerQuestion', answer(turnId, jobId, ['no']));
    expect((await ended(turnId)).outcome?.vars).toMatchObject({ decision: 'no' });
  });

  it('refuses answers that are large or deep without falling over them', async () => {
    const turnId = await submit(OPEN);
    const jobId = await asked(turnId);
    const bodies = [
      `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`,
      `[{"approved": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}]`,
      JSON.stringify(['x'.repeat(200_000)]),
      JSON.stringify(Array.from({ length: 10_000 }, () => 'x')),
    ];
    for (const answers of bodies) {
      const reply = await fetch(`${rig.url}/v1/turns/${turnId}/questions/${jobId}/answer`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: `{"answers": ${answers}}`,
      });
      expect(reply.status).toBe(422);
      expect(await reply.json()).toMatchObject({ code: 'ANSWER_INVALID' });
    }
    expect((await read(turnId)).outcome).toBeNull();
  });

  it('knows no question that was never asked, nor one of another turn', async () => {
    const [one, two] = [await submit(OPEN), await submit(OPEN)];
    const jobId = await asked(two);
    for (const unknown of [`${one}.7.q`, jobId]) {
      const refusal = await rig.refused('answerQuestion', answer(one, unknown, ['x']));
      expect(refusal).toMatchObject({ status: 404, code: 'QUESTION_NOT_FOUND' });
    }
  });

  it('shows the questions of a tenant to nobody else, and lets only who has the scope answer', async () => {
    const turnId = await submit(OPEN);
    const jobId = await asked(turnId);
    const stranger = await rig.key('somebody-else');
    expect(await rig.call('listQuestions', { key: stranger })).toEqual({ questions: [], next: null });
    const foreign = await rig.refused('listQuestions', { key: stranger, query: `?tenant=${tenant}` });
    expect(foreign).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const request = answer(turnId, jobId, ['x']);
    expect(await rig.refused('answerQuestion', { ...request, key: stranger })).toMatchObject({
      status: 404,
      code: 'TURN_NOT_FOUND',
    });
    const all: ApiScope[] = ['submit', 'read', 'operate', 'admin'];
    const reader = await rig.key(tenant, all);
    expect(await rig.refused('answerQuestion', { ...request, key: reader })).toMatchObject({ status: 403 });
    const answerer = await rig.key(tenant, ['answer']);
    await rig.call('answerQuestion', { ...request, key: answerer });
    expect((await ended(turnId)).outcome).toMatchObject({ answer: 'said: It is x.' });
  });

  it('gives the questions page by page, the one that has waited longest first, each once', async () => {
    const turns: string[] = [];
    for (let index = 0; index < 5; index++) {
      const turnId = await submit(OPEN);
      await asked(turnId);
      turns.push(turnId);
    }
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { questions: some, next } = await listed(query);
      expect(some.length).toBeLessThanOrEqual(2);
      seen.push(...some.map((one) => one.turnId));
      if (next === null) break;
      query = `?limit=2&cursor=${next}`;
    }
    expect(seen).toEqual(turns);
    const everybody = await rig.call<QuestionPage>('listQuestions', { query: '?limit=200' });
    expect(everybody.questions.map((one) => one.turnId)).toEqual(expect.arrayContaining(turns));
    expect(await rig.refused('listQuestions', { query: '?cursor=nonsense', key })).toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('pages through questions that were all asked in one millisecond', async () => {
    const turns = [await submit(OPEN), await submit(OPEN), await submit(OPEN)];
    const ids: string[] = [];
    for (const turnId of turns) ids.push(await asked(turnId));
    const { redis: commands, keys } = rig.cluster.connection;
    for (const id of ids) await commands.zadd(keys.questions(tenant), 'XX', 1000, id);
    const first = await listed('?limit=1');
    const second = await listed(`?limit=1&cursor=${first.next}`);
    const third = await listed(`?limit=1&cursor=${second.next}`);
    const seen = [first, second, third].flatMap((page) => page.questions.map(({ jobId }) => jobId));
    expect(seen).toEqual(ids.toSorted());
    expect(third.next).toBeNull();
  });

  it('goes on with on_timeout_value when nobody answers in time', async () => {
    const turnId = await submit(IN_TIME);
    const jobId = await asked(turnId);
    const { askedAtMs = 0, expiresAtMs = 0 } = (await listed()).questions[0] ?? {};
    expect((expiresAtMs ?? 0) - askedAtMs).toBe(300);
    expect((await ended(turnId)).outcome).toMatchObject({ answer: 'said: It was nobody.' });
    expect((await listed()).questions).toEqual([]);
    const events = await rig.cluster.events(turnId as TurnId);
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('question.'))).toEqual([
      'question.asked',
      'question.expired',
    ]);
    const late = await rig.refused('answerQuestion', answer(turnId, jobId, ['x']));
    expect(late).toMatchObject({ status: 409, code: 'QUESTION_CLOSED' });
  });

  it('fails with STEP_TIMEOUT when nobody answers in time and nothing is to be used instead', async () => {
    const turn = await ended(await submit(OR_FAIL));
    expect(turn.error).toEqual({
      code: 'STEP_TIMEOUT',
      message: 'step "wait": nobody answered within the timeout of the step',
    });
  });

  it('decides once when an answer and the end of the time come together', async () => {
    const turns = await Promise.all(Array.from({ length: 24 }, () => submit(BOTH_WAYS)));
    const jobs = await Promise.all(turns.map(asked));
    const isTaken = await Promise.all(
      turns.map(async (turnId, index) => {
        const jobId = jobs[index] ?? '';
        const expire = (): Promise<void> =>
          jobTimedOut(rig.cluster.connection, jobId as JobId, 'nobody' as TurnId);
        const give = async (): Promise<boolean> => {
          const reply = await rig.fetch('answerQuestion', answer(turnId, jobId, ['somebody']));
          return reply.status === 202;
        };
        // Whoever is sent first does not always come first.
        const [first, second] = index % 2 === 0 ? [expire, give] : [give, expire];
        const replies = await Promise.all([first(), second()]);
        return replies.includes(true);
      }),
    );
    const answers = await Promise.all(
      turns.map(async (turnId) => (await ended(turnId)).outcome?.vars['answer']),
    );
    expect(answers).toEqual(isTaken.map((taken) => (taken ? 'somebody' : 'nobody')));
  });

  it('takes one of several answers that come at once', async () => {
    const turnId = await submit(OPEN);
    const jobId = await asked(turnId);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const replies = await Promise.all(
      names.map((name) => rig.fetch('answerQuestion', answer(turnId, jobId, [name]))),
    );
    const taken = names.find((_name, index) => replies[index]?.status === 202) ?? '';
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(names.length - 1);
    expect((await ended(turnId)).outcome).toMatchObject({ answer: `said: It is ${taken}.` });
  });

  it('forgets the questions of a turn that is cancelled', async () => {
    const turnId = await submit(OPEN);
    const jobId = await asked(turnId);
    await rig.call('cancelTurn', { params: { turnId }, key });
    await ended(turnId);
    expect((await listed()).questions).toEqual([]);
    expect(await rig.refused('answerQuestion', answer(turnId, jobId, ['x']))).toMatchObject({
      status: 409,
      code: 'QUESTION_CLOSED',
    });
  });

  it('takes out of the list what a crash left behind in it', async () => {
    const turnId = await submit(OPEN);
    const jobId = await asked(turnId);
    await rig.call('answerQuestion', answer(turnId, jobId, ['x']));
    await ended(turnId);
    await enterQuestion(rig.cluster.connection, tenant, jobId as JobId, 5);
    expect(await listed()).toEqual({ questions: [], next: null });
    const { redis: commands, keys } = rig.cluster.connection;
    expect(await commands.zcard(keys.questions(tenant))).toBe(0);
  });

  it('asks again in a turn that was reopened, and knows that it waits', async () => {
    const text = asking(`
- parallel:
    branches:
      - [{name: person, ask: {question: "Who?", save_as: who}}]
      - [{name: broken, instruction: fail}]
- name: tell
  instruction: "It was {{who}}."
`);
    isBroken = true;
    const turnId = await submit(text);
    const jobId = await asked(turnId);
    await rig.call('answerQuestion', answer(turnId, jobId, ['me']));
    const failed = await ended(turnId);
    expect(failed).toMatchObject({ status: 'failed', waiting: 0 });
    isBroken = false;
    await new Operator(rig.cluster.connection).redrive(`${turnId}.0.b1.0.g0.0` as JobId, 'anna');
    expect((await ended(turnId)).outcome).toMatchObject({ status: 'completed', answer: 'said: It was me.' });
    expect(await read(turnId)).toMatchObject({ waiting: 0 });
  });
});

describe.skipIf(redis === undefined)('an answer that comes while no orchestrator runs', () => {
  it('is kept, also when the message about it is lost, and the next orchestrator goes on with it', async () => {
    const cluster = await startCluster(redis!.url, (job) => ({
      text: job.kind === 'generate' ? `said: ${job.instruction}` : '',
    }));
    try {
      const questions = new Questions(cluster.connection);
      const turnId = await cluster.submit(OPEN);
      const first = await cluster.orchestrator();
      const jobId = await until(
        async () => (await questions.list({ tenants: 'all' })).questions[0]?.jobId,
        10_000,
        'the question of the turn',
      );
      await first.close();
      await questions.answer(turnId, jobId, ['the mill']);
      const { redis: commands, keys } = cluster.connection;
      await commands.xtrim(keys.shard(keys.shardOf(turnId)).results, 'MAXLEN', 0);
      await expect(questions.answer(turnId, jobId, ['no'])).rejects.toMatchObject({
        code: 'QUESTION_CLOSED',
      });
      expect(await questions.list({ tenants: 'all' })).toEqual({ questions: [], next: null });
      await cluster.orchestrator();
      await cluster.worker();
      expect(await cluster.outcome(turnId)).toMatchObject({ answer: 'said: It is the mill.' });
    } finally {
      await cluster.close();
    }
  });
});
