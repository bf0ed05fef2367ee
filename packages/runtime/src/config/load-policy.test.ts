import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyFile } from '@skillyard/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPolicy } from './load-policy.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-policy-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function load(text: string): Promise<PolicyFile> {
  const file = join(folder, 'policy.yaml');
  await writeFile(file, text);
  return loadPolicy(file, { mill: { url: 'http://127.0.0.1:1/mcp' }, oven: { command: 'oven' } });
}

describe('a policy', () => {
  it('names servers and tools, those that come with us included', async () => {
    const policy = await load(
      'roles:\n  baker: {allow: ["*"], deny: ["mill:stop", builtin]}\n  guest: {allow: [oven]}\ndefault_roles: [guest]\n',
    );
    expect(policy).toEqual({
      roles: { baker: { allow: ['*'], deny: ['mill:stop', 'builtin'] }, guest: { allow: ['oven'] } },
      default_roles: ['guest'],
    });
  });

  it('may name the actions of skills, all of them and single ones', async () => {
    const roles = { baker: { allow: ['action'] }, guest: { allow: ['*'], deny: ['action:oven.bake'] } };
    expect(await load(JSON.stringify({ roles }))).toEqual({ roles });
  });

  it.each([
    ['roles: {baker: {deny: []}}', /policy\.yaml:1:\d+: roles\.baker lacks `allow`/],
    [
      'roles: {baker: {allow: [], deney: [oven]}}',
      /:1:28: unknown key `deney` in roles\.baker; did you mean `deny`/,
    ],
    [
      'roles:\n  baker:\n    allow: ["*"]\n    deny: [mil]',
      /:4:12: roles\.baker\.deny\.0 is "mil", which is no server.*did you mean `mill`/,
    ],
    ['roles: {baker: {allow: ["mill:"]}}', /names no tool; write `mill:<tool>`/],
    ['roles: {baker: {allow: ["mill:read*"]}}', /names no tool/],
    [
      'roles: {baker: {allow: []}}\ndefault_roles: [bakr]',
      /:2:17: default_roles names "bakr".*did you mean `baker`/,
    ],
    ['roles: [', /not valid YAML/],
  ])('is refused with the place of the mistake: %s', async (text, message) => {
    await expect(load(text)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(message) as string,
    });
  });

  it('may be what docs/access.md shows', async () => {
    const text = await readFile(new URL('../../../../docs/access.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n(roles:.*?)```/s.exec(text) ?? [];
    const file = join(folder, 'policy.yaml');
    await writeFile(file, example);
    const server = { url: 'http://127.0.0.1:1/mcp' };
    const policy = await loadPolicy(file, { tickets: server, docs: server });
    expect(Object.keys(policy.roles)).toEqual(['reader', 'agent', 'operator']);
  });

  it('is refused with FILE_UNREADABLE where there is none', async () => {
    await expect(loadPolicy(join(folder, 'gone.yaml'), {})).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('gone.yaml cannot be read: there is no such file') as string,
    });
  });
});
