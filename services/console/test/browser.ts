import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Whether there is a browser. Where CI runs there has to be one. */
export function findBrowser(): boolean {
  if (existsSync(PATH)) return true;
  const message = `There is no browser at ${PATH}: install chromium, or set CHROMIUM_PATH.`;
  if (process.env['CI'] !== undefined) throw new Error(message);
  process.stderr.write(`\n*** ${message} The tests of the console are SKIPPED. ***\n\n`);
  return false;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: PATH,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A tab, and what went wrong in it. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and what the content security policy refused. */
  readonly errors: readonly string[];
}

/** @param key what is signed in with already; empty for nobody */
export async function openTab(
  browser: Browser,
  url: string,
  { key, colorScheme }: { readonly key: string; readonly colorScheme: 'light' | 'dark' },
): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(10_000);
  if (key !== '') await context.addInitScript(`sessionStorage.setItem('skillyard.key', '${key}')`);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  return { page, context, errors };
}

/** What axe finds serious or worse on a page. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`));
}

/** Fails when somebody who sees little, or uses no mouse, would have to give up on a page. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
}
