import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AssetsConfig, SkillyardError } from '@skillyard/contracts';
import { freePort, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { assetJob, executorsFor, failureText, run } from './jobs.ts';

let folder: string;
/** A repository as somebody keeps it. */
let work: string;
let cacheDir: string;

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', work, ...args], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.org',
    },
  });

async function commit(path: string, content: string | Buffer): Promise<void> {
  await mkdir(join(work, path, '..'), { recursive: true });
  await writeFile(join(work, path), content);
  git('add', '-A');
  git('commit', '--quiet', '-m', `change ${path}`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-git-'));
  work = join(folder, 'handbook');
  await mkdir(work);
  git('init', '--quiet', '--initial-branch=main');
  await symlink('/etc/hostname', join(work, 'link'));
  await commit('rules.md', 'Be kind.\n');
  await commit('texts/long name ü.md', 'ü\n');
  await commit('empty.txt', '');
  await commit('bytes.bin', Buffer.from([0xff, 0xfe]));
  await commit('large.txt', 'x'.repeat(2001));
  await commit('[a]*.md', 'odd\n');
  git('tag', 'v1');
  git('checkout', '--quiet', '-b', 'release/2026');
  await commit('rules.md', 'Be strict.\n');
  git('checkout', '--quiet', 'main');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  cacheDir = await mkdtemp(join(folder, 'cache-'));
});

let executors: Executors[] = [];
afterEach(async () => {
  await Promise.all(executors.map((one) => one.close()));
  executors = [];
});

type Repository = NonNullable<AssetsConfig['git']>[string];

function open(repository: Partial<Repository> = {}, env: Record<string, string> = {}): Executors {
  const handbook = { url: 'handbook', ...repository };
  const assets = { git: { handbook }, cache_dir: cacheDir, max_bytes: 2000 };
  const one = executorsFor({ assets }, { baseDir: folder, env });
  executors.push(one);
  return one;
}

const get = (ref: string, own = open()) => run(own, assetJob('git', ref));

describe('an asset from a repository', () => {
  it('is a file as it is on a branch', async () => {
    const own = open();
    expect(await get('handbook@main:rules.md', own)).toMatchObject({ status: 'ok', text: 'Be kind.\n' });
    expect(await get('handbook@release/2026:rules.md', own)).toMatchObject({ text: 'Be strict.\n' });
    expect(await get('handbook@main:texts/long name ü.md', own)).toMatchObject({ text: 'ü\n' });
    expect(await get('handbook@main:[a]*.md', own)).toMatchObject({ text: 'odd\n' });
    expect(await get('handbook@main:empty.txt', own)).toMatchObject({ status: 'empty' });
    expect(await readdir(cacheDir)).toEqual([expect.stringMatching(/^handbook-[0-9a-f]{12}\.git$/)]);
  });

  it('is looked for anew each time, and after its ttl', async () => {
    const own = open();
    await commit('news.md', 'one');
    expect(await get('handbook@main:news.md', own)).toMatchObject({ text: 'one' });
    const kept = assetJob('git', 'handbook@main:news.md', { ttlMs: 600_000 });
    await run(own, kept);
    await commit('news.md', 'two');
    git('commit', '--quiet', '--amend', '-m', 'written over');
    expect(await get('handbook@main:news.md', own)).toMatchObject({ text: 'two' });
    expect(await run(own, kept)).toMatchObject({ text: 'one' });
  });

  it('comes with its last commit only', async () => {
    await get('handbook@main:rules.md');
    const [copy = ''] = await readdir(cacheDir);
    const count = execFileSync('git', [`--git-dir=${join(cacheDir, copy)}`, 'rev-list', '--all', '--count']);
    expect(count.toString().trim()).toBe('1');
  });

  it('is a tag where the configuration says so', async () => {
    expect(await get('handbook@v1:rules.md', open({ ref_prefix: 'refs/tags/' }))).toMatchObject({
      text: 'Be kind.\n',
    });
    expect(await get('handbook@tags/v1:rules.md', open({ ref_prefix: 'refs/' }))).toMatchObject({
      status: 'ok',
    });
  });

  it('is had by many at once, and by two processes that share the folder', async () => {
    const both = [open(), open()];
    const files = ['rules.md', 'texts/long name ü.md', '[a]*.md'];
    const results = await Promise.all(
      both.flatMap((own) =>
        ['main', 'release/2026'].flatMap((branch) =>
          files.map((file) => get(`handbook@${branch}:${file}`, own)),
        ),
      ),
    );
    expect(results.map((one) => one.status)).toEqual(results.map(() => 'ok'));
    expect(await readdir(cacheDir)).toHaveLength(1);
  });

  it('is had although a process died and left its locks, which are taken away once they are old', async () => {
    const own = open();
    await get('handbook@main:rules.md', own);
    const [copy = ''] = await readdir(cacheDir);
    const lock = join(cacheDir, copy, 'shallow.lock');
    await writeFile(lock, '');
    await commit('locked.md', 'a');
    expect(await get('handbook@main:locked.md', own)).toMatchObject({ status: 'ok', text: 'a' });
    expect(await readdir(join(cacheDir, copy))).toContain('shallow.lock');
    await utimes(lock, 0, 0);
    await commit('locked.md', 'b');
    expect(await get('handbook@main:locked.md', own)).toMatchObject({ status: 'ok', text: 'b' });
    expect(await readdir(join(cacheDir, copy))).not.toContain('shallow.lock');
    expect(await readdir(cacheDir)).toEqual([copy]);
  });

  it('is had after the folder was emptied, and after it was spoiled', async () => {
    const own = open();
    await get('handbook@main:rules.md', own);
    const [copy = ''] = await readdir(cacheDir);
    await rm(cacheDir, { recursive: true });
    expect(await get('handbook@main:rules.md', own)).toMatchObject({ status: 'ok' });
    await rm(join(cacheDir, copy, 'HEAD'));
    expect(await get('handbook@main:rules.md', own)).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['handbook@main:missing.md', /no such file on this branch/],
    ['handbook@main:rules.md/more', /no such file on this branch/],
    ['handbook@main:texts', /is a folder, not a file/],
    ['handbook@main:link', /is a link, not a file/],
    ['handbook@main:bytes.bin', /not UTF-8 text/],
    ['handbook@main:large.txt', /2001 bytes; the limit is 2000/],
    ['handbook@nowhere:rules.md', /the repository "handbook" \(.*\) has no "nowhere" under refs\/heads\//],
    ['handbok@main:rules.md', /"handbok", which is not under assets\.git\. Did you mean handbook\?/],
    ['handbook:rules.md', /Write it as project@branch:path/],
    ['handbook@--upload-pack=touch:rules.md', /begins with a dash/],
    ['handbook@main:../rules.md', /`\.\.`/],
  ])('fails with ASSET_UNAVAILABLE for %j', async (ref, message) => {
    const result = failureText(await get(ref));
    expect(result).toMatch(/^error ASSET_UNAVAILABLE: /);
    expect(result).toMatch(message);
    expect(result).not.toContain('\n');
  });

  it('fails when the repository is not there, or has no folder to be copied to', async () => {
    expect(failureText(await get('handbook@main:rules.md', open({ url: 'nothing' })))).toMatch(
      /there is no repository "handbook" at .*nothing.*assets\.git\.handbook\.url/,
    );
    cacheDir = join(work, 'rules.md');
    expect(failureText(await get('handbook@main:rules.md'))).toMatch(/cannot be kept in .*assets\.cache_dir/);
  });

  it('fails where there is no git', async () => {
    const own = open({}, { PATH: folder });
    expect(failureText(await get('handbook@main:rules.md', own))).toMatch(/no git command here.*Install git/);
  });

  it('does not run what a repository says', async () => {
    const hook = join(folder, 'hook-ran');
    await get('handbook@main:rules.md');
    const [copy = ''] = await readdir(cacheDir);
    await mkdir(join(cacheDir, copy, 'hooks'), { recursive: true });
    const script = join(cacheDir, copy, 'hooks', 'reference-transaction');
    await writeFile(script, `#!/bin/sh\ntouch '${hook}'\n`, { mode: 0o755 });
    await commit('hooked.md', 'a');
    expect(await get('handbook@main:hooked.md')).toMatchObject({ status: 'ok', text: 'a' });
    expect(await readdir(folder)).not.toContain('hook-ran');
  });
});

describe('an asset from a repository over HTTP', () => {
  let server: Server;
  let requests: IncomingMessage[] = [];
  let gone = 0;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      response.on('close', () => {
        if (!response.writableFinished) gone++;
      });
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    requests = [];
    gone = 0;
    answer = serveGit;
  });

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/handbook/.git`;
  const status =
    (code: number, headers: Record<string, string> = {}) =>
    (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(code, headers).end();
    };

  /** The server of git itself, as a program that a web server runs. */
  function serveGit(request: IncomingMessage, response: ServerResponse, gate = Promise.resolve()): void {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    request.pipe(child.stdin);
    let head = Buffer.alloc(0);
    child.stdout.on('data', (chunk: Buffer) => (head = Buffer.concat([head, chunk])));
    child.on('close', () => {
      const end = head.indexOf('\r\n\r\n');
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(/: (.*)/s);
        if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      void gate.then(() => response.end(head.subarray(end + 4)));
    });
  }

  it('is had, with the token of the configuration', async () => {
    const own = open({ url: url(), token_env: 'HANDBOOK_TOKEN' }, { HANDBOOK_TOKEN: 'tok-123456789' });
    expect(await get('handbook@main:rules.md', own)).toMatchObject({ status: 'ok', text: 'Be kind.\n' });
    const basic = Buffer.from('x-access-token:tok-123456789').toString('base64');
    expect(requests.map((one) => one.headers.authorization)).toEqual(requests.map(() => `Basic ${basic}`));
    const [copy = ''] = await readdir(cacheDir);
    const config = execFileSync('git', [`--git-dir=${join(cacheDir, copy)}`, 'config', '--list', '--local']);
    expect(config.toString()).not.toMatch(/extraheader|tok-/i);
  });

  it.each([401, 403, 404])('is not asked for again after HTTP %d', async (code) => {
    answer = status(code, { 'www-authenticate': 'Basic realm="x"' });
    const own = open({ url: url(), token_env: 'HANDBOOK_TOKEN' }, { HANDBOOK_TOKEN: 'tok-123456789' });
    const result = failureText(await run(own, assetJob('git', 'handbook@main:rules.md', { retries: 3 })));
    expect(result).toMatch(code === 404 ? /there is no repository/ : /refused to us.*token_env/);
    expect(result).not.toMatch(/tok-|tried/);
  });

  it('shows no token, not even one that the server quotes', async () => {
    answer = (request, response) => {
      response
        .writeHead(400, { 'content-type': 'text/plain' })
        .end(`you sent ${request.headers.authorization}\n`);
    };
    const own = open({ url: url(), token_env: 'HANDBOOK_TOKEN' }, { HANDBOOK_TOKEN: 'tok-123456789' });
    const result = failureText(await get('handbook@main:rules.md', own));
    expect(result).toContain('remote: you sent Basic [secret HANDBOOK_TOKEN]; unable to access');
  });

  it('is asked for again after HTTP 503', async () => {
    answer = (request, response) => {
      answer = serveGit;
      status(503)(request, response);
    };
    const result = await run(open({ url: url() }), assetJob('git', 'handbook@main:rules.md', { retries: 1 }));
    expect(result).toMatchObject({ status: 'ok' });
  });

  it('is asked for again when nobody listens', async () => {
    const own = open({ url: `http://127.0.0.1:${await freePort()}/h.git` });
    const result = await run(own, assetJob('git', 'handbook@main:rules.md', { retries: 1 }));
    expect(failureText(result)).toMatch(/cannot be fetched from: .*tried 2 times/);
  });

  it('is not looked for where a redirect leads', async () => {
    const before = url();
    answer = status(302, { location: `${before.replace('handbook', 'elsewhere')}/info/refs` });
    expect(failureText(await get('handbook@main:rules.md', open({ url: before })))).toMatch(
      /ASSET_UNAVAILABLE/,
    );
    expect(requests.filter((one) => one.url?.includes('elsewhere'))).toEqual([]);
  });

  it('is given up when it hangs, by its time and by the turn, and git ends', async () => {
    answer = () => {};
    const own = open({ url: url() });
    const late = await run(own, assetJob('git', 'handbook@main:rules.md', { timeoutMs: 500 }));
    expect(failureText(late)).toMatch(/did not come within 500 ms/);
    await until(() => gone === 1);
    const controller = new AbortController();
    const running = run(own, assetJob('git', 'handbook@main:rules.md'), controller.signal);
    await until(() => requests.length === 2);
    controller.abort(new SkillyardError('TURN_CANCELLED', 'no longer wanted'));
    expect(failureText(await running)).toBe('error TURN_CANCELLED: no longer wanted');
    await until(() => gone === 2);
    answer = serveGit;
    expect(await get('handbook@main:rules.md', own)).toMatchObject({ status: 'ok' });
  });

  /** Answers as git does, and keeps the answer back until it is released. */
  function holdBack(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = (request, response) => serveGit(request, response, held);
    return release;
  }

  it('is fetched once for all who ask while another fetch is under way', async () => {
    const own = open({ url: url() });
    await get('handbook@main:rules.md', own);
    const each = requests.length;
    requests = [];
    const release = holdBack();
    const first = get('handbook@main:rules.md', own);
    await until(() => requests.length === 1);
    const files = ['rules.md', '[a]*.md', 'empty.txt', 'rules.md'];
    const others = files.map((file) => get(`handbook@main:${file}`, own));
    release();
    const results = await Promise.all([first, ...others]);
    expect(results.map((one) => one.status)).toEqual(['ok', 'ok', 'ok', 'empty', 'ok']);
    expect(requests.length).toBeLessThanOrEqual(2 * each);
  });

  it('is never older than the question', async () => {
    const own = open({ url: url() });
    await commit('fresh.md', 'old');
    const release = holdBack();
    const first = get('handbook@main:fresh.md', own);
    // The branches are told in the answer to the second request.
    const held = answer;
    let told = 0;
    answer = (request, response) => {
      told++;
      if (told === 1) serveGit(request, response);
      else held(request, response);
    };
    await until(() => told === 2);
    await commit('fresh.md', 'new');
    const second = get('handbook@main:fresh.md', own);
    release();
    await first;
    expect(await second).toMatchObject({ status: 'ok', text: 'new' });
  });
});
