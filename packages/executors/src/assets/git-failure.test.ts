import { describe, expect, it } from 'vitest';
import { isTransient } from './asset-failure.ts';
import { fetchFailure, isCacheTrouble } from './git-failure.ts';

const remote = {
  project: 'h',
  url: 'u',
  where: 'https://git.example.org/h',
  refPrefix: 'refs/heads/',
  env: {},
};
const failure = (stderr: string) => fetchFailure(remote, 'main', stderr);

describe('what git wrote when it could not fetch', () => {
  it.each([
    ["fatal: couldn't find remote ref refs/heads/main", /has no "main" under refs\/heads\//],
    [
      "fatal: could not read Username for 'https://git.example.org': terminal prompts disabled",
      /refused to us.*token_env/,
    ],
    ["fatal: unable to access 'https://x/': The requested URL returned error: 403", /refused to us/],
    [
      'git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      /refused to us: git@x/,
    ],
    ["fatal: repository 'https://git.example.org/h/' not found", /no repository "h".*assets\.git\.h\.url/],
    ["fatal: '/srv/h' does not appear to be a git repository", /no repository "h"/],
    ['warning: odd\nfatal: something else.', /cannot be fetched from: something else\.$/],
    ['', /git gave no reason/],
  ])('%j stays as it is', (stderr, message) => {
    const error = failure(stderr);
    expect(error.message).toMatch(message);
    expect(isTransient(error)).toBe(false);
  });

  it.each([
    "fatal: unable to access 'https://x/': Could not resolve host: x",
    "fatal: unable to access 'https://x/': Failed to connect to x port 443 after 0 ms: Couldn't connect to server",
    "fatal: unable to access 'https://x/': The requested URL returned error: 503",
    "fatal: unable to access 'https://x/': The requested URL returned error: 429",
    'error: RPC failed; curl 56 Recv failure: Connection reset by peer',
    'fatal: the remote end hung up unexpectedly',
    'ssh: connect to host x port 22: Connection timed out\nfatal: Could not read from remote repository.',
  ])('%j is transient', (stderr) => expect(isTransient(failure(stderr))).toBe(true));

  it.each([
    ["fatal: Unable to create '/c/h.git/shallow.lock': File exists.", true],
    ["error: cannot lock ref 'refs/skillyard/ab': is at 1 but expected 2", true],
    ['fatal: shallow file has changed since we read it', true],
    ["fatal: not a git repository: '/c/h.git'", true],
    ["fatal: '/srv/h' does not appear to be a git repository", false],
    ['fatal: the remote end hung up unexpectedly', false],
  ])('%j is trouble with our copy: %j', (stderr, expected) => expect(isCacheTrouble(stderr)).toBe(expected));
});
