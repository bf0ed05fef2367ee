import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenQuestion, Question, TurnId, TurnResource } from '@skillyard/contracts';
import { connect, type JobEnvelope, type QueueConnection } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, findBrowser, launchBrowser, openTab, type Tab } from './browser.ts';
import { type Installation, startInstallation } from './installation.ts';

const hasBrowser = findBrowser();
const redis: RedisServer | undefined = hasBrowser ? await startRedis() : undefined;
afterAll(() => redis?.stop());

const skillOf = (name: string, ask: object): string =>
  JSON.stringify({
    skill_engine_version: '2.5.0',
    name,
    description: `For the skill ${name}.`,
    workflow: { steps: [{ name: 'decide', ask: { ...ask, save_as: 'answer' } }] },
  });
const OPEN = skillOf('naming', { question: 'What is it called?' });
const CHOICE = skillOf('colours', {
  question: 'Which colour?',
  options: [{ value: 'red' }, { value: 'blue', label: 'Azure' }],
});
const LATER = skillOf('later', {
  question: 'Now?',
  timeout: '1h',
  on_timeout: 'use',
  on_timeout_value: 'no',
});

/** What skills whose flow is code ask, and a flow cannot. */
const FORM: readonly Question[] = [
  {
    kind: 'choice',
    header: 'Tools',
    text: 'Which tools are taken along?',
    multiSelect: true,
    options: [
      { value: 'saw', label: 'A saw', description: 'for wood' },
      { value: 'rope', label: 'A rope' },
      { value: 'map', label: 'A map', preview: 'N\nW E\nS' },
    ],
  },
  { kind: 'confirm', text: 'Delete the old shed?', destructive: true },
  { kind: 'plan', text: 'Build a new shed.', steps: ['Draw it', 'Saw the boards', 'Nail them'] },
];

describe.skipIf(redis === undefined)('questions in the console', { timeout: 60_000 }, () => {
  const prefix = `console-${randomUUID().slice(0, 8)}`;
  let installation: Installation;
  let browser: Browser;
  let pictures: string;
  let connection: QueueConnection;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    pictures = process.env['CONSOLE_PICTURES'] ?? (await mkdtemp(join(tmpdir(), 'skillyard-pictures-')));
    [installation, browser, connection] = await Promise.all([
      startInstallation(redis?.url ?? '', prefix),
      launchBrowser(),
      connect({ url: redis?.url ?? '', prefix }),
    ]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await connection.close();
    await installation.stop();
  });
  beforeEach(async () => {
    tab = await openTab(browser, installation.url, { key: installation.key, colorScheme: 'light' });
    page = tab.page;
  });
  afterEach(async () => {
    await tab.context.close();
    expect(tab.errors).toEqual([]);
  });

  const submit = async (text: string, tenant = 'default'): Promise<TurnId> =>
    (await installation.client.submitTurn({ body: { skill: { text }, tenant } })).turnId;
  const asked = (turnId: TurnId): Promise<OpenQuestion> =>
    until(
      async () => (await installation.client.listTurnQuestions({ turnId })).questions[0],
      20_000,
      `a question of ${turnId}`,
    );
  const answerOf = async (turnId: TurnId): Promise<string | undefined> => {
    const { outcome } = await until(
      async () => {
        const turn: TurnResource = await installation.client.getTurn({ turnId });
        return turn.endedAtMs === null ? undefined : turn;
      },
      20_000,
      `the end of ${turnId}`,
    );
    return outcome?.vars['answer'];
  };
  /** Puts other questions in the place of the one that a turn asks. */
  const askInstead = async (turnId: TurnId, questions: readonly Question[]): Promise<void> => {
    const { jobId } = await asked(turnId);
    const { jobs } = connection.keys.turn(turnId);
    const envelope = JSON.parse((await connection.redis.hget(jobs, jobId)) ?? '') as JobEnvelope;
    await connection.redis.hset(
      jobs,
      jobId,
      JSON.stringify({ ...envelope, job: { ...envelope.job, questions } }),
    );
  };
  const looksRight = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`), fullPage: true });
      await expectAccessible(page);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };
  const answerButton = () => page.getByRole('button', { name: 'Answer', exact: true });

  it('says that nothing waits, and shows a question as soon as there is one', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Questions' }).click();
    await page.getByText('No turn waits for an answer').waitFor();
    await looksRight('questions-none');
    const turnId = await submit(OPEN);
    const form = page.getByRole('form', { name: 'Question of decide' });
    await form.getByText('What is it called?').waitFor();
    await form.getByRole('link', { name: turnId }).waitFor();
    // An empty answer is no answer.
    await answerButton().click();
    expect(await form.count()).toBe(1);
    await form.getByLabel('What is it called?').fill('The mill');
    await answerButton().click();
    await page.getByText('No turn waits for an answer').waitFor();
    expect(await answerOf(turnId)).toBe('The mill');
  });

  it('offers the options of a choice on the page of its turn, which goes on before the eyes', async () => {
    const turnId = await submit(CHOICE);
    await asked(turnId);
    await page.goto('/');
    await page
      .getByRole('row', { name: new RegExp(turnId) })
      .getByText('waits for an answer')
      .waitFor();
    await page.getByRole('link', { name: turnId }).click();
    await page.getByRole('radio', { name: 'Azure' }).check();
    await looksRight('questions-of-turn');
    await answerButton().click();
    await page.getByText('completed').first().waitFor();
    expect(await answerOf(turnId)).toBe('blue');
    expect(await answerButton().count()).toBe(0);
  });

  it('has a form for several options, for what cannot be undone, and for a plan', async () => {
    const turnId = await submit(OPEN);
    await askInstead(turnId, FORM);
    await page.goto('/questions');
    await page.getByText('This cannot be undone.').waitFor();
    await looksRight('questions-forms');
    await page.getByRole('checkbox', { name: 'A map' }).check();
    await page.getByRole('checkbox', { name: 'A saw' }).check();
    // Nothing is chosen beforehand where a slip would cost something.
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Yes' }).check();
    await page.getByRole('radio', { name: 'Do it differently' }).check();
    await page.getByLabel('What to do differently').fill('Nail them twice');
    await answerButton().click();
    await page.getByText('No turn waits for an answer').waitFor();
    expect(JSON.parse((await answerOf(turnId)) ?? '')).toEqual([
      ['saw', 'map'],
      true,
      { approved: false, modifications: 'Nail them twice' },
    ]);
  });

  it('says when a question is answered elsewhere, and until when one waits', async () => {
    const turnId = await submit(LATER);
    const { jobId } = await asked(turnId);
    await page.goto('/questions');
    await page.getByText(', until').waitFor();
    await page.getByLabel('Now?').fill('too late');
    // So that the page does not see it before the button is pressed.
    await page.route('**/v1/questions*', (route) => route.abort());
    await installation.client.answerQuestion({ turnId, jobId, body: { answers: ['sooner'] } });
    await answerButton().click();
    await page.getByRole('alert').getByText('QUESTION_CLOSED').waitFor();
    expect(await answerOf(turnId)).toBe('sooner');
  });

  it('shows the questions of its tenant to who may only read, and lets them not answer', async () => {
    const [own, other] = await Promise.all([submit(OPEN, 'acme'), submit(CHOICE, 'zoo')]);
    await Promise.all([asked(own), asked(other)]);
    const key = await installation.createKey('acme', 'read');
    const reader = await openTab(browser, installation.url, { key, colorScheme: 'light' });
    await reader.page.goto('/questions');
    await reader.page.getByRole('link', { name: own }).waitFor();
    expect(await reader.page.getByRole('form').count()).toBe(1);
    expect(await reader.page.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
    await reader.page.getByText('Needs the scope answer').waitFor();
    expect(reader.errors).toEqual([]);
    await reader.context.close();
    for (const turnId of [own, other]) await installation.client.cancelTurn({ turnId });
  });

  it('shows many questions page by page', async () => {
    const turns = await Promise.all(Array.from({ length: 23 }, () => submit(OPEN)));
    await Promise.all(turns.map(asked));
    await page.goto('/questions');
    const forms = page.getByRole('form');
    await until(async () => (await forms.count()) === 20, 5000, 'a whole page');
    await page.getByRole('link', { name: 'Newer' }).click();
    await until(async () => (await forms.count()) === 3, 5000, 'the rest');
    await page.getByRole('link', { name: 'Oldest' }).click();
    await until(async () => (await forms.count()) === 20, 5000, 'the first page');
    for (const turnId of turns) await installation.client.cancelTurn({ turnId });
  });
});
