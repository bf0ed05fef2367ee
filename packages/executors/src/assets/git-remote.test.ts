import { describe, expect, it } from 'vitest';
import { gitRemote } from './git-remote.ts';

const env = { PATH: '/bin', HOME: '/home/me', TOKEN: 'tok-123', GIT_DIR: '/elsewhere', GIT_SSH: 'evil' };
const remote = (url: string, rest = {}) => gitRemote('h', { url, ...rest }, '/base', env);

describe('a configured repository', () => {
  it.each([
    ['https://git.example.org/h.git', 'https', 'https://git.example.org/h.git'],
    ['http://127.0.0.1:8080/h.git', 'http', 'http://127.0.0.1:8080/h.git'],
    ['ssh://git@git.example.org/h.git', 'ssh', 'ssh://git@git.example.org/h.git'],
    ['git@git.example.org:team/h.git', 'ssh', 'git@git.example.org:team/h.git'],
    ['file:///srv/h.git', 'file', 'file:///srv/h.git'],
    ['../h', 'file', '/h'],
    ['h.git', 'file', '/base/h.git'],
    ['/srv/h.git', 'file', '/srv/h.git'],
  ])('at %j may use %s and nothing else', (url, protocol, expected) => {
    const { env: own, url: used } = remote(url);
    expect(used).toBe(expected);
    expect(own['GIT_ALLOW_PROTOCOL']).toBe(protocol);
  });

  it.each([
    ['-uevil', /no address of a repository/],
    ['ext::sh -c evil', /no address of a repository/],
    ['https://a\n.example/h', /no address of a repository/],
    ['git://example.org/h', /begins with git:/],
    ['https://me:pass-word@example.org/h', /holds a password/],
  ])('at %j is refused', (url, message) => {
    expect(() => remote(url)).toThrow(message);
    expect(() => remote(url)).not.toThrow(/pass-word/);
  });

  it('is asked without the settings of the system, of the user and of our own environment', () => {
    const { env: own } = remote('h.git');
    expect(own).toMatchObject({
      PATH: '/bin',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    });
    expect(own).not.toHaveProperty('GIT_DIR');
    expect(own).not.toHaveProperty('GIT_SSH');
    expect(own).not.toHaveProperty('TOKEN');
  });

  it('gets its token as a header of its own host', () => {
    const { env: own } = remote('https://git.example.org/h.git', { token_env: 'TOKEN', user: 'me' });
    expect(own).toMatchObject({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.https://git.example.org/.extraHeader',
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from('me:tok-123').toString('base64')}`,
    });
  });

  it.each([
    ['https://git.example.org/h', { token_env: 'NOT_SET' }, /NOT_SET is not set.*assets\.git\.h\.token_env/],
    ['git@git.example.org:h', { token_env: 'TOKEN' }, /for addresses with http/],
    ['h', { ref_prefix: '-x' }, /ref_prefix is "-x"/],
    ['h', { ref_prefix: 'refs/../x/' }, /ref_prefix/],
    ['h', { ref_prefix: 'heads/' }, /ref_prefix/],
  ])('at %j with %j is refused', (url, rest, message) => expect(() => remote(url, rest)).toThrow(message));

  it('has its branches where it says', () => {
    expect(remote('h').refPrefix).toBe('refs/heads/');
    expect(remote('h', { ref_prefix: 'refs/tags' }).refPrefix).toBe('refs/tags/');
    expect(remote('h', { ref_prefix: 'refs/' }).refPrefix).toBe('refs/');
  });
});
