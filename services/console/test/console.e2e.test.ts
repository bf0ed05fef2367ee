import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, findBrowser, launchBrowser, openTab, type Tab } from './browser.ts';
import { type Installation, startInstallation } from './installation.ts';

const hasBrowser = findBrowser();
const redis: RedisServer | undefined = hasBrowser ? await startRedis() : undefined;
afterAll(() => redis?.stop());

/** Steps of a skill, as YAML is written in JSON. */
const skillOf = (name: string, steps: readonly unknown[], more: object = {}): string =>
  JSON.stringify(
    {
      skill_engine_version: '2.5.0',
      name,
      description: `For the skill ${name}.`,
      skill_version: '1.0',
      workflow: { tools: ['depot'], steps, ...more },
    },
    null,
    2,
  );

const BAKERY = skillOf('bakery', [
  { set: { var: 'breads', value: '["rye", "wheat", "spelt"]' } },
  { name: 'fetch', call: { tool: 'depot:echo', args: { text: 'rye and wheat' }, save_as: 'got' } },
  {
    name: 'each bread',
    for_each: {
      in: 'breads',
      as: 'bread',
      steps: [{ name: 'taste', instruction: 'Taste the {{bread}}.' }],
    },
  },
  {
    name: 'decide',
    if: { cond: 'got contains "rye"', then: [{ name: 'praise', instruction: 'Praise {{got}}.' }] },
  },
  { name: 'never', when: 'got contains "oat"', instruction: 'Say oat.' },
]);
const PAYMENT = skillOf('payment', [{ name: 'pay', instruction: 'Pay the bill.' }]);
const PATIENCE = skillOf('patience', [{ name: 'wait', instruction: 'Wait for it.' }]);
const RESEARCH = skillOf('research', [{ name: 'look', instruction: 'Look it up.' }]);
/** The code of a skill that does no more than say how its turn ends. */
const STOPPER = `import { createInterface } from 'node:readline';
const directive = {
  do: 'end',
  output: null,
  error: null,
  stop: { status: 'blocked', reason: 'nobody has signed the waybill' },
  requirements: [
    { claim: 'the crate is sealed', passed: true, evidenceDigest: 'sha256:${'5ea1'.repeat(16)}' },
    { claim: 'the waybill is signed', passed: false },
  ],
};
for await (const line of createInterface({ input: process.stdin })) {
  const decision = { directive, observed: [], passed: [] };
  process.stdout.write(JSON.stringify({ id: JSON.parse(line).id, decision, memo: null }) + '\\n');
}
`;
const WAYBILL = JSON.stringify({
  skill_engine_version: '2.5.0',
  name: 'waybill',
  description: 'Sends the crate.',
  mode: 'code',
  servers: [],
  code: { runtime: 'kit', file: 'stopper.mjs', sha256: createHash('sha256').update(STOPPER).digest('hex') },
});
const LEAVE = skillOf('leave', [{ name: 'leave', exit: { reason: 'not for me' } }]);

describe.skipIf(redis === undefined)('the console', { timeout: 60_000 }, () => {
  let installation: Installation;
  let browser: Browser;
  let pictures: string;
  let skills: string;
  let tab: Tab;
  let page: Page;
  let canPay = false;

  const submit = (text: string, more: object = {}): Promise<string> =>
    installation.client.submitTurn({ body: { skill: { text }, ...more } }).then(({ turnId }) => turnId);
  const ended = (turnId: string): Promise<unknown> =>
    until(
      async () => (await installation.client.getTurn({ turnId })).endedAtMs !== null,
      20_000,
      `the end of turn ${turnId}`,
    );
  const open = async (path: string, name: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** Looks at the page in both schemes. */
  const looksRight = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
      await expectAccessible(page);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };

  beforeAll(async () => {
    const folder = process.env['CONSOLE_PICTURES'];
    if (folder === undefined) pictures = await mkdtemp(join(tmpdir(), 'skillyard-pictures-'));
    else await mkdir((pictures = folder), { recursive: true });
    skills = await mkdtemp(join(tmpdir(), 'skillyard-console-skills-'));
    await writeFile(join(skills, 'stopper.mjs'), STOPPER);
    await writeFile(join(skills, 'skill.yaml'), WAYBILL);
    [installation, browser] = await Promise.all([
      startInstallation(redis?.url ?? '', `console-${randomUUID().slice(0, 8)}`, { skills: [skills] }),
      launchBrowser(),
    ]);
    installation.model.answerBy(({ prompt, body }) => {
      const isFirst = !JSON.stringify(body['messages']).includes('"tool"');
      if (prompt.startsWith('Look') && isFirst)
        return { calls: [{ name: 'depot__echo', args: { text: 'what it says there' } }] };
      if (prompt.startsWith('Pay') && !canPay)
        return { failure: 'status', status: 400, message: 'no credit' };
      if (prompt.startsWith('Wait')) return { text: 'at last', delayMs: 60_000 };
      return { text: `As you say: ${prompt}`, usage: { inputTokens: 12, outputTokens: 7 } };
    });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await installation.stop();
    await rm(skills, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tab = await openTab(browser, installation.url, { key: installation.key, colorScheme: 'light' });
    page = tab.page;
  });
  afterEach(async () => {
    await tab.context.close();
    expect(tab.errors).toEqual([]);
  });

  it('lists turns, finds them by status, skill, label and text, and keeps the filter in the address', async () => {
    const [red, blue] = await Promise.all([
      submit(LEAVE, { labels: { team: 'red' } }),
      submit(BAKERY, { labels: { team: 'blue' } }),
    ]);
    await Promise.all([ended(red), ended(blue)]);
    await open('/', 'Turns');
    const rows = page.locator('tbody tr');
    await page.getByRole('link', { name: blue }).waitFor();
    await looksRight('turns');
    await page.getByLabel('Label').fill('team=red');
    await page.waitForURL(/label=team/);
    await until(async () => (await rows.count()) === 1, 5000, 'one row');
    expect(await rows.textContent()).toContain(red);
    await page.reload();
    await page.getByRole('link', { name: red }).waitFor();
    expect(await rows.count()).toBe(1);
    await button('failed').click();
    await page.getByText('No turn is like that').waitFor();
    await page.getByRole('link', { name: 'Show all turns' }).click();
    await page.getByRole('link', { name: blue }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(blue.slice(0, 12));
    await page.waitForURL(/search=/);
    await until(async () => (await rows.count()) === 1, 5000, 'one row');
  });

  it('shows a turn as a waterfall, a flow, a result and a source, and what a step was given and gave', async () => {
    const turnId = await submit(BAKERY);
    await ended(turnId);
    await open(`/turns/${turnId}`, 'bakery');
    const rows = page.locator('.waterfall tbody tr');
    await page.getByRole('row', { name: /praise/ }).waitFor();
    expect(await rows.filter({ hasText: 'taste' }).count()).toBe(3);
    expect(await rows.filter({ hasText: 'never' }).textContent()).toContain('skipped');
    await button('praise').click();
    const panel = page.getByRole('complementary', { name: 'Step praise' });
    await panel.getByText('Praise rye and wheat.', { exact: true }).waitFor();
    await panel.getByText('As you say: Praise rye and wheat.').waitFor();
    await looksRight('turn');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Flow' }).click();
    await page.getByText('3 times').waitFor();
    await looksRight('flow');
    await button('fetch').click();
    await page
      .getByRole('complementary', { name: 'Step fetch' })
      .getByText('rye and wheat')
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Result' }).click();
    await page.getByText('As you say: Praise rye and wheat.').first().waitFor();
    await looksRight('result');
    await page.getByRole('link', { name: 'Skill', exact: true }).click();
    await page.getByRole('region', { name: 'Source' }).waitFor();
    await looksRight('source');
  });

  it('says why a program stopped, and what it claimed on what evidence', async () => {
    const turnId = await submit(WAYBILL);
    await ended(turnId);
    await open('/', 'Turns');
    await button('blocked').click();
    await page.getByRole('link', { name: turnId }).click();
    await page.locator('main .head').getByText('blocked').waitFor();
    await page.getByRole('paragraph').getByText('nobody has signed the waybill').waitFor();
    await page.getByText('passed 1, failed 1').waitFor();
    await looksRight('blocked');
    await page.getByRole('link', { name: 'Result' }).click();
    const claims = page.getByRole('table', { name: 'Requirements' }).locator('tbody tr');
    await claims.first().waitFor();
    expect(await claims.allInnerTexts()).toEqual([
      expect.stringMatching(/✓ passed\s+the crate is sealed\s+sha256:5ea15ea15ea1…/),
      expect.stringMatching(/✕ failed\s+the waybill is signed\s+none/),
    ]);
    await page.getByTitle(`sha256:${'5ea1'.repeat(16)}`).waitFor();
    await looksRight('requirements');
  });

  it('shows the conversation of a model step: what it asked for, what came back, what it said', async () => {
    const turnId = await submit(RESEARCH);
    await ended(turnId);
    await open(`/turns/${turnId}?step=0`, 'research');
    const panel = page.getByRole('complementary', { name: 'Step look' });
    await panel.getByRole('region', { name: 'Asked for depot:echo' }).waitFor();
    await panel
      .getByRole('region', { name: 'depot:echo answered' })
      .getByText('what it says there')
      .waitFor();
    await panel.getByText('As you say: Look it up.').waitFor();
    await looksRight('conversation');
  });

  it('shows a turn that runs as it runs, says why it has not ended, and cancels it', async () => {
    const turnId = await submit(PATIENCE);
    await open(`/turns/${turnId}`, 'patience');
    await page.getByRole('row', { name: /wait .*running/ }).waitFor();
    await page.locator('details.note').waitFor();
    await looksRight('running');
    await button('Cancel turn').click();
    await looksRight('confirm');
    await page.keyboard.press('Escape');
    await button('Cancel turn').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel turn' }).click();
    await page.locator('main .head').getByText('cancelled').waitFor();
    expect((await installation.client.getTurn({ turnId })).status).toBe('cancelled');
  });

  it('redrives the failed job of a turn, which then goes on to its end', async () => {
    const turnId = await submit(PAYMENT);
    await ended(turnId);
    await open(`/turns/${turnId}?step=0`, 'payment');
    await page.locator('main .head').first().getByText('failed').waitFor();
    const failed = page.getByRole('region', { name: 'Failed job pay' });
    await failed.waitFor();
    await looksRight('failed');
    canPay = true;
    await failed.getByRole('button', { name: 'Redrive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    await page.locator('main .head').first().getByText('completed').waitFor();
    await page.getByRole('row', { name: /pay .*ok/ }).waitFor();
  });

  it('resolves a failed job with what a person says it gave', async () => {
    canPay = false;
    const turnId = await submit(PAYMENT);
    await ended(turnId);
    await open('/queues?failed=model', 'Queues');
    const row = page.getByRole('row').filter({ hasText: turnId });
    await row.getByRole('button', { name: 'Decide' }).click();
    await row.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('It was done, and gave this text').fill('paid by hand');
    await looksRight('resolve');
    await dialog.getByRole('button', { name: 'Go on with this text' }).click();
    await ended(turnId);
    await until(
      async () => (await installation.client.getTurn({ turnId })).outcome?.answer === 'paid by hand',
      10_000,
      'the answer',
    );
  });

  it('pauses a queue, which holds its jobs back, and resumes it', async () => {
    await open('/queues', 'Queues');
    await button('Pause kitchen').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause kitchen' }).click();
    await page
      .getByRole('row', { name: /kitchen/ })
      .getByText('paused')
      .waitFor();
    const turnId = await submit(BAKERY);
    await looksRight('queues');
    expect((await installation.client.getTurn({ turnId })).endedAtMs).toBeNull();
    await button('Resume kitchen').click();
    await page
      .getByRole('row', { name: /kitchen/ })
      .getByText('open')
      .waitFor();
    await ended(turnId);
  });

  it('shows the skills there are, what is to be said of one, and takes another', async () => {
    await installation.client.uploadSkill({ body: { text: BAKERY } });
    await open('/skills', 'Skills');
    await page.getByRole('link', { name: 'bakery' }).waitFor();
    await page.getByLabel('Its text').fill('- no skill');
    await button('Check').click();
    await page.getByText('It is refused').waitFor();
    await looksRight('skills');
    await page.getByLabel('Its text').fill(LEAVE);
    await button('Upload').click();
    await page.getByRole('link', { name: 'leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'leave' }).waitFor();
    await page.getByRole('link', { name: 'Flow' }).click();
    await page.locator('.react-flow__node').first().waitFor();
    await looksRight('skill-flow');
    await page.getByRole('link', { name: 'Check' }).click();
    await page.getByText('It would run').waitFor();
    await looksRight('check');
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByText('current').waitFor();
    await looksRight('versions');
  });

  it('submits a turn by the name of a skill, and goes to it; a wrong text is refused with the lines', async () => {
    await installation.client.uploadSkill({ body: { text: BAKERY } });
    await open('/submit', 'Submit a turn');
    await page.getByLabel('As a text').check();
    await page.getByLabel('Text of the skill').fill('- no skill');
    await button('Submit').click();
    await page.getByRole('alert').getByText('SKILL_INVALID').waitFor();
    await looksRight('submit');
    await page.getByLabel('By name').check();
    await page.getByLabel('Name of the skill').selectOption('bakery');
    await page.getByLabel('Labels').fill('from = console');
    await button('Submit').click();
    await page.waitForURL(/\/turns\//);
    await page.getByText('from=console').waitFor();
  });

  it('asks for a key, refuses a wrong one, hides what the key may not do, and signs out', async () => {
    const secret = await installation.createKey('reader', 'read');
    const other = await openTab(browser, installation.url, { key: '', colorScheme: 'light' });
    page = other.page;
    await open('/', 'Sign in to Skillyard');
    await looksRight('sign-in');
    await page.getByLabel('API key').fill('wrong');
    await button('Sign in').click();
    await page.getByText('UNAUTHENTICATED').waitFor();
    await page.getByLabel('API key').fill(secret);
    await button('Sign in').click();
    await page.getByText('There are no turns yet').waitFor();
    expect(page.url()).not.toContain(secret);
    await page.getByRole('link', { name: 'Queues' }).click();
    expect(await button('Pause model').isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Submit', exact: true }).click();
    await page.getByText('yours has not').waitFor();
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to Skillyard' }).waitFor();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    expect(other.errors).toEqual([]);
    await other.context.close();
  });

  it('can be used by the keyboard alone', async () => {
    const turnId = await submit(BAKERY, { labels: { by: 'keyboard' } });
    await ended(turnId);
    await open('/?label=by%3Dkeyboard', 'Turns');
    await page.getByRole('link', { name: turnId }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    const focusOn = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate('document.activeElement.textContent')) === name) return;
      }
      throw new Error(`the keyboard does not reach ${name}`);
    };
    await focusOn(turnId);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /praise/ }).waitFor();
    await focusOn('praise');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Step praise' });
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('says what to do where there is no such turn or page', async () => {
    await page.goto('/turns/nothing');
    await page.getByRole('alert').getByText('TURN_NOT_FOUND').waitFor();
    await open('/nowhere', 'There is no such page');
    await looksRight('not-found');
  });

  it('stays quick with 10,000 turns: a page of them at a time', async () => {
    let left = 10_000;
    const submitter = async (): Promise<void> => {
      while (left-- > 0) await submit(LEAVE, { tenant: 'crowd' });
    };
    await Promise.all(Array.from({ length: 48 }, submitter));
    await open('/?tenant=crowd', 'Turns');
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(100);
    const newest = await rows.first().textContent();
    const startedMs = performance.now();
    await page.getByRole('link', { name: 'Older' }).click();
    await until(async () => (await rows.first().textContent()) !== newest, 5000, 'older turns');
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(await rows.count()).toBe(100);
    await page.getByRole('link', { name: 'Newest' }).click();
    await until(async () => (await rows.first().textContent()) === newest, 5000, 'the newest turns');
  }, 90_000);
});

describe.skipIf(redis === undefined)('the console of an installation without keys and history', () => {
  let installation: Installation;
  let browser: Browser;
  beforeAll(async () => {
    const more = { http: { auth: 'off' }, history: { steps: 'off' } } as const;
    [installation, browser] = await Promise.all([
      startInstallation(redis?.url ?? '', `console-${randomUUID().slice(0, 8)}`, more),
      launchBrowser(),
    ]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await installation.stop();
  });

  it('asks for no key, and says how a history is switched on', async () => {
    const { page, context, errors } = await openTab(browser, installation.url, {
      key: '',
      colorScheme: 'light',
    });
    await page.goto('/');
    await page.getByText('There are no turns yet').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    const { turnId } = await installation.client.submitTurn({ body: { skill: { text: PAYMENT } } });
    await page.getByRole('link', { name: turnId }).click();
    await page.getByRole('button', { name: 'pay', exact: true }).click();
    await page.getByText('history: {steps: on}').waitFor();
    await context.close();
    expect(errors).toEqual([]);
  });
});
