import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-config-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function refusal(text: string): Promise<string> {
  await writeFile(join(folder, 'skillyard.yaml'), text);
  try {
    await loadConfig({ cwd: folder, env: {} });
  } catch (error) {
    if (SkillyardError.is(error, 'CONFIG_INVALID')) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('agent skills', () => {
  it('have paths that start at the folder of the file, or at home', async () => {
    const text =
      'agent_skills: {paths: [a, ~/b, /c], agents: {clerk: {paths: [d]}, intern: {disabled: true}}}\n';
    await writeFile(join(folder, 'skillyard.yaml'), text);
    const { config } = await loadConfig({ cwd: folder, env: {} });
    expect(config.agent_skills).toEqual({
      paths: [join(folder, 'a'), '~/b', '/c'],
      agents: { clerk: { paths: [join(folder, 'd')] }, intern: { disabled: true } },
    });
  });

  it('have no other keys', async () => {
    expect(await refusal('agent_skills: {pathes: [a]}\n')).toMatch(
      /:1:16: unknown key `pathes` in agent_skills; did you mean `paths`\?/,
    );
  });
});

describe('options of the linter', () => {
  it('are checked as everything else', async () => {
    expect(await refusal('lint: {empty_wrods: [a]}')).toMatch(
      /skillyard\.yaml:1:8: unknown key `empty_wrods` in lint; did you mean `empty_words`\?/,
    );
    expect(await refusal('lint:\n  envelopes:\n    - {server: meter, fields: [a]}\n')).toMatch(
      /:3:7: lint\.envelopes\.0 lacks `payload`/,
    );
  });

  it('hold patterns that are regular expressions', async () => {
    const text = "lint:\n  stale_apis:\n    - {pattern: '(', what: a, instead: b}\n";
    expect(await refusal(text)).toMatch(/:3:17: lint\.stale_apis\.0\.pattern is no regular expression; /);
  });
});

describe('the service', () => {
  it.each([
    [
      'http: {host: 0.0.0.0, auth: off}',
      /:1:29: http\.auth is off, and http\.host 0\.0\.0\.0 can be reached from other/,
    ],
    ['http: {public_url: skillyard}', /http\.public_url is no address; write it in full/],
    ['tenants: {Acme Inc: {weight: 2}}', /tenants\.Acme Inc is no name of a tenant; use at most 50/],
    ['tenants: {acme: {wieght: 2}}', /unknown key `wieght` in tenants\.acme; did you mean `weight`\?/],
    ['webhooks: {allow: ["not an address"], secret_env: S}', /webhooks\.allow\.0 is no address/],
  ])('%s is refused, with the key', async (text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  it('may be open on this machine, and a tenant may stand for all', async () => {
    await writeFile(
      join(folder, 'skillyard.yaml'),
      'http: {host: 127.0.0.1, port: 0, auth: off}\ntenants: {"*": {weight: 1}}\npolicy: p.yaml\n',
    );
    const { config } = await loadConfig({ cwd: folder, env: {} });
    expect(config).toMatchObject({ http: { auth: 'off' }, policy: join(folder, 'p.yaml') });
  });
});

describe('where the configuration is found', () => {
  it('gives defaults when there is no file', async () => {
    expect(await loadConfig({ cwd: folder, env: {} })).toEqual({ config: {}, file: null, baseDir: folder });
  });

  it('prefers the named file, then the environment, then the folder of the skill, then the working directory', async () => {
    const skills = join(folder, 'skills');
    await mkdir(skills);
    await writeFile(join(folder, 'skillyard.yaml'), 'concurrency: 1');
    await writeFile(join(skills, 'skillyard.yml'), 'concurrency: 2');
    await writeFile(join(folder, 'env.yaml'), 'concurrency: 3');
    await writeFile(join(folder, 'named.yaml'), 'concurrency: 4');
    const found = async (source: { file?: string; beside?: string; env?: Record<string, string> }) =>
      (await loadConfig({ cwd: folder, env: {}, ...source })).config.concurrency;
    expect(await found({})).toBe(1);
    expect(await found({ beside: skills })).toBe(2);
    expect(await found({ beside: skills, env: { SKILLYARD_CONFIG: 'env.yaml' } })).toBe(3);
    expect(await found({ file: 'named.yaml', env: { SKILLYARD_CONFIG: 'env.yaml' } })).toBe(4);
  });

  it('refuses with FILE_UNREADABLE when the named file is not there', async () => {
    await expect(loadConfig({ cwd: folder, env: {}, file: 'gone.yaml' })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('gone.yaml'),
    });
  });

  it('refuses what is no regular file, named or found, without waiting for it', async () => {
    const beside = join(folder, 'skills');
    await mkdir(beside);
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(beside, 'skillyard.yaml')]);
    for (const [source, why] of [
      [{ beside }, 'it is no regular file'],
      [{ file: '/dev/zero' }, 'it is no regular file'],
      [{ file: 'skills' }, 'it is a folder'],
    ] as const) {
      await expect(loadConfig({ cwd: folder, env: {}, ...source })).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
        message: expect.stringContaining(why),
      });
    }
  });

  it('resolves relative paths against the folder of the file', async () => {
    await writeFile(
      join(folder, 'skillyard.yaml'),
      [
        'models:',
        '  m: {provider: scripted, script: answers.yaml}',
        'servers:',
        '  a: {command: ./tool, args: [x]}',
        '  b: {command: node, cwd: tools}',
        'skills: [flows]',
        'assets: {root: texts}',
      ].join('\n'),
    );
    const { config } = await loadConfig({ cwd: '/', env: {}, file: join(folder, 'skillyard.yaml') });
    expect(config).toEqual({
      models: { m: { provider: 'scripted', script: join(folder, 'answers.yaml') } },
      servers: {
        a: { command: join(folder, 'tool'), args: ['x'], cwd: folder },
        b: { command: 'node', cwd: join(folder, 'tools') },
      },
      skills: [join(folder, 'flows')],
      assets: { root: join(folder, 'texts') },
    });
  });
});

describe('what is refused, and with what words', () => {
  const cases: [what: string, text: string, message: RegExp][] = [
    ['an empty file', '# nothing\n', /skillyard\.yaml:1:1: the file is empty; write `\{\}`/],
    ['a list', '- a\n', /skillyard\.yaml:1:1: the file holds a list/],
    ['broken YAML', 'models: [a\nb: c\n', /skillyard\.yaml:\d+:\d+: not valid YAML/],
    [
      'a key given twice',
      'skills: []\nskills: []\n',
      /skillyard\.yaml:2:1: not valid YAML: Map keys must be unique/,
    ],
    ['an unknown key', 'modles: {}\n', /:1:1: unknown key `modles`; did you mean `models`\?/],
    ['a key nothing resembles', 'zzz: 1\n', /:1:1: unknown key `zzz`; known here: default_model, models,/],
    [
      'an unknown provider',
      'models:\n  m: {provider: opnai, model: x}\n',
      /:2:17: models\.m\.provider is "opnai"; write one of: openai-compatible/,
    ],
    ['a model without its provider', 'models:\n  m: {model: x}\n', /:2:3: models\.m lacks `provider`/],
    [
      'a missing setting of the provider',
      'models:\n  m: {provider: openai-compatible, model: x}\n',
      /:2:3: models\.m lacks `base_url`; add `base_url:`/,
    ],
    [
      'a stray setting of the provider',
      'models:\n  m: {provider: openai, model: x, api_key: secret}\n',
      /:2:35: unknown key `api_key` in models\.m; did you mean `api_key_env`\?/,
    ],
    [
      'a misspelt key of a server',
      'servers:\n  s:\n    comand: node\n',
      /:3:5: unknown key `comand` in servers\.s; did you mean `command`\?/,
    ],
    [
      'a server that is nothing',
      'servers:\n  s: {timeout: 5s}\n',
      /:2:3: servers\.s has neither `command` nor `url`/,
    ],
    [
      'a server that is both',
      'servers:\n  s: {command: x, url: "http://h"}\n',
      /:2:19: servers\.s has both `command` and `url`; keep the one/,
    ],
    ['a server that is text', 'servers:\n  s: node\n', /:2:6: servers\.s must be a mapping, and is "node"/],
    [
      'a bad duration',
      'servers:\n  s: {command: x, timeout: 5 min}\n',
      /:2:28: servers\.s\.timeout is "5 min"; write a duration such as/,
    ],
    [
      'a wrong kind of value',
      'concurrency: many\n',
      /:1:14: concurrency must be a whole number, and is "many"/,
    ],
    ['a number out of range', 'concurrency: 0\n', /:1:14: concurrency is 0; it must be at least 1/],
    ['a word out of a list', 'fan_out: on\n', /:1:10: fan_out is "on"; write one of: auto, off/],
    [
      'a default model that is not there',
      'default_model: fst\nmodels:\n  fast: {provider: openai, model: x}\n',
      /:1:16: default_model names "fst", .*did you mean `fast`\?/,
    ],
    ['an address that is none', 'servers:\n  s: {url: localhost}\n', /:2:12: servers\.s\.url is no address/],
    [
      'an effect that is none',
      'servers:\n  s: {command: x, effects: {go: twice}}\n',
      /:2:33: servers\.s\.effects\.go is "twice"; write one of: once/,
    ],
    [
      'a class that no server belongs to',
      'servers:\n  oven: {command: x, class: kitchen}\nclasses:\n  kichen: {concurrency: 2}\n',
      /:4:3: classes\.kichen is the class of no server; did you mean `kitchen`\?/,
    ],
    [
      'a server whose class is another one',
      'servers:\n  oven: {command: x, class: kitchen}\nclasses:\n  oven: {concurrency: 2}\n',
      /:4:3: classes\.oven is the class of no server; the class of server `oven` is `kitchen`/,
    ],
    [
      'a priority of a server that is not there',
      'servers:\n  oven: {command: x}\nclasses:\n  oven:\n    priority: {ovne: 1}\n',
      /:5:16: classes\.oven\.priority names "ovne", .*did you mean `oven`\?/,
    ],
    [
      'a priority of a model that is not there',
      'models:\n  fast: {provider: openai, model: x}\nclasses:\n  model: {priority: {fst: 1}}\n',
      /:4:22: classes\.model\.priority names "fst", .*did you mean `fast`\?/,
    ],
    [
      'a priority of a server of another class',
      'servers:\n  oven: {command: x}\n  mill: {command: y}\nclasses:\n  oven: {priority: {mill: 1}}\n',
      /:5:21: classes\.oven\.priority names "mill", .*the class of server `mill` is `mill`/,
    ],
    [
      'a server with the name of a class of ours',
      'servers:\n  action: {command: x}\n',
      /:2:3: servers\.action has the name of a class of ours.*`command`/,
    ],
    [
      'a server of a class of ours',
      'servers:\n  oven: {command: x, class: model}\n',
      /:2:29: servers\.oven\.class is a class of ours/,
    ],
  ];
  it.each(cases)('%s', async (_what, text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  it('accepts the classes that are always there, and those of the servers', async () => {
    const lines = [
      'models:',
      '  fast: {provider: openai, model: x}',
      'servers:',
      '  oven: {command: x, class: kitchen}',
      '  mill: {command: y}',
      'classes:',
      '  model: {priority: {fast: 1}}',
      '  builtin: {concurrency: 1}',
      '  kitchen: {priority: {oven: 1}}',
      '  mill: {concurrency: 2}',
    ];
    await writeFile(join(folder, 'skillyard.yaml'), lines.join('\n'));
    const { config } = await loadConfig({ cwd: folder, env: {} });
    expect(Object.keys(config.classes ?? {})).toEqual(['model', 'builtin', 'kitchen', 'mill']);
  });

  it('names every mistake, in the order of the file', async () => {
    const lines = (await refusal('fan_out: maybe\nconcurency: 1\nredis: {prefix: "A b"}\n')).split('\n');
    expect(lines.map((line) => /:(\d+):\d+: /.exec(line)?.[1])).toEqual(['1', '2', '3']);
  });

  it('refuses aliases that would fill the memory', async () => {
    const rows = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i += 1)
      rows.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(await refusal(rows.join('\n'))).toMatch(/skillyard\.yaml:1:1: the aliases cannot be resolved/);
  });
});
