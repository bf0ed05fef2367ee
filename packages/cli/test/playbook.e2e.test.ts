import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ModelRequest,
  type ModelServer,
  type NodeProcess,
  type RedisServer,
  startModelServer,
  startRedis,
  toolServerCommand,
} from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';
import { local, messagesOf, queueOn, replies } from './drivers.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

const SKILL_MD = `---
name: proof
description: How a proof is read.
---
Look twice.
`;

const HEADER = 'skill_engine_version: "2.4.0"\ndescription: For a test.\n';
const PLAYBOOK = `${HEADER}name: clerk
servers: [depot]
playbook: |
  Look {{input}} up and say what you found.
`;
const BOTH = `${HEADER}name: twofold
servers: [depot]
playbook: Look the word up with every tool you have.
workflow:
  tools: [depot]
  steps:
    - call: {tool: "depot:echo", args: {text: "found {{input}}"}, save_as: got}
    - name: tell
      instruction: "Say {{got}}."
      tools: []
`;

const queue = queueOn(redis);

describe.skipIf(redis === undefined)('a playbook turn against a model endpoint and tool servers', () => {
  let place: Workplace;
  let model: ModelServer;
  let served: NodeProcess;

  beforeAll(async () => {
    place = await openWorkplace();
    model = await startModelServer();
    const config = {
      models: { m: { provider: 'openai-compatible', model: 'double', base_url: model.url } },
      servers: { depot: toolServerCommand(), vault: toolServerCommand() },
      redis: { prefix: `cli-${randomUUID().slice(0, 8)}` },
      skills: ['.'],
      agent_skills: { enable_default_skills: true, paths: ['shelf'] },
    };
    await place.write({
      'skillyard.yaml': JSON.stringify(config),
      'clerk.yaml': PLAYBOOK,
      'shelf/proof/SKILL.md': SKILL_MD,
      'shelf/proof/marks.md': 'Marks.',
      'twofold.yaml': BOTH,
      'hands.yaml': skill([{ name: 'read', instruction: 'Read {{input}}.' }], {
        name: 'hands',
        tools: ['builtin:activate_skill'],
      }),
      'office.yaml': skill(
        [
          { name: 'pass', delegate: { skill: 'clerk', task: 'oat' }, save_as: 'theirs' },
          { set: { var: 'answer', value: 'They say: {{theirs}}' } },
        ],
        { name: 'office' },
      ),
    });
    served = place.start(['serve', '--port', '0'], { REDIS_URL: redis?.url ?? '' });
    await served.wrote('ready: ');
  });
  afterAll(async () => {
    await served.stop();
    await model.close();
    await place.remove();
  });

  /** Calls a tool inside the radius and one outside, then says what came of both. */
  const lookUp = (file: string): void =>
    model.answerBy((request) => {
      const [inside, outside] = replies(request);
      const usage = { inputTokens: 100, outputTokens: 10 };
      if (inside !== undefined) return { text: `inside: ${inside}\noutside: ${outside}`, usage };
      return {
        calls: [
          { name: 'depot__echo', args: { text: `found ${request.prompt}` } },
          { name: 'vault__append', args: { file, line: 'written' } },
        ],
        usage,
      };
    });

  describe.each([local, queue])('by $name', (driver) => {
    it('calls the tools of its servers and is refused those of others', async () => {
      const file = join(place.folder, `vault-${driver.name}`);
      lookUp(file);
      const run = await driver.run(place, ['clerk.yaml', '--input', 'rye', '--var', 'shelf=7', '--json']);
      expect(JSON.parse(run.stdout)).toMatchObject({
        status: 'completed',
        answer: expect.stringMatching(
          /^inside: found rye\n\nshelf: 7\noutside: ERROR: there is no tool "vault__append" in this step/,
        ),
        answeredBy: 'instruction',
        usage: { generations: 2, calls: 1, inputTokens: 200, outputTokens: 20 },
        steps: [{ name: 'playbook', kind: 'instruction', outcome: 'ok', calls: 2, callsFailed: 1 }],
      });
      expect(run.code).toBe(0);
      expect(existsSync(file)).toBe(false);
      const last = model.requests.at(-1);
      expect(last && messagesOf(last).slice(0, 2)).toEqual([
        {
          role: 'system',
          content: expect.stringMatching(
            /^Look \{\{input\}\} up and say what you found\.\n\n\n<available_skills>/,
          ),
        },
        { role: 'user', content: 'rye\n\nshelf: 7' },
      ]);
    });

    it.each(['clerk.yaml', 'hands.yaml'])(
      'takes up an agent skill: %s is told which there are, and gets the one it chooses',
      async (file) => {
        model.answerBy((request) => {
          const [chosen] = replies(request);
          return chosen === undefined
            ? { calls: [{ name: 'builtin__activate_skill', args: { name: 'proof' } }] }
            : { text: chosen };
        });
        const run = await driver.run(place, [file, '--input', 'rye', '--json']);
        const turn = JSON.parse(run.stdout) as { answer: string; usage: unknown };
        expect(JSON.parse(turn.answer)).toEqual({
          skill: 'proof',
          instructions: 'Look twice.',
          location: '/proof',
          resources: ['marks.md'],
        });
        expect(turn.usage).toMatchObject({ generations: 2, calls: 1 });
        const [system] = messagesOf(model.requests.at(-1) as ModelRequest);
        expect(system).toMatchObject({
          role: 'system',
          content: expect.stringMatching(/<name>\nproof\n<\/name>\n<description>\nHow a proof is read\./),
        });
      },
    );

    it('--mode chooses the half, and without it the workflow runs', async () => {
      lookUp(join(place.folder, 'vault-mode'));
      const steps = async (...args: string[]): Promise<string[]> => {
        const run = await driver.run(place, ['twofold.yaml', '--input', 'rye', '--json', ...args]);
        return (JSON.parse(run.stdout) as { steps: { name: string }[] }).steps.map(({ name }) => name);
      };
      expect(await steps()).toEqual(['call', 'tell']);
      expect(await steps('--mode', 'workflow')).toEqual(['call', 'tell']);
      expect(await steps('--mode', 'playbook')).toEqual(['playbook']);
    });

    it('is what a delegate step runs', async () => {
      model.answerBy((request) => ({ text: `no ${request.prompt} here` }));
      const run = await driver.run(place, ['office.yaml']);
      expect(run.stdout).toBe('They say: no oat here\n');
      expect(run.code).toBe(0);
    });

    it('names the place of the playbook when it fails', async () => {
      model.answerBy(() => ({ failure: 'unauthorized' }));
      const run = await driver.run(place, ['clerk.yaml', '--input', 'rye']);
      expect(run.stderr).toMatch(/error MODEL_\w+: step "playbook": [\s\S]* at clerk\.yaml:5:1/);
      expect(run.code).not.toBe(0);
    });
  });

  it('run --mode both runs each on the same input and puts the numbers side by side', async () => {
    lookUp(join(place.folder, 'vault-both'));
    const args = ['run', 'twofold.yaml', '--input', 'rye', '--mode', 'both'];
    const shown = await place.run(args);
    expect(shown.stdout).toMatch(/^ +workflow +playbook\n/);
    expect(shown.stdout).toMatch(/\ngenerations +1 +2\n/);
    expect(shown.stdout).toMatch(/\ncalls +1 +1\n/);
    expect(shown.stdout).toMatch(/\ntokens in +100 +200\ntokens out +10 +20\ntime +\S+ m?s +\S+ m?s\n/);
    expect(shown.stdout).toMatch(/\nworkflow:\n[\s\S]*\nplaybook:\ninside: found rye\n/);
    expect(shown.code).toBe(0);
    const document = await place.run([...args, '--json']);
    expect(JSON.parse(document.stdout)).toMatchObject({
      turns: [
        { mode: 'workflow', status: 'completed', usage: { generations: 1, calls: 1 } },
        { mode: 'playbook', status: 'completed', usage: { generations: 2, calls: 1 } },
      ],
    });
  });

  it('run --mode both refuses a skill with one half', async () => {
    const run = await place.run(['run', 'clerk.yaml', '--mode', 'both']);
    expect(run.stderr).toContain('error SKILL_INVALID: The mode is "workflow"');
    expect(run.code).toBe(2);
  });

  it('validate says which half will run, and what a playbook may call', async () => {
    const { stdout, code } = await place.run(['validate', 'clerk.yaml', 'twofold.yaml', 'office.yaml']);
    expect(stdout).toContain(
      'clerk.yaml:5:1: info MODE: the playbook runs, as one model that may call depot, builtin:activate_skill\n',
    );
    expect(stdout).toContain(
      'twofold.yaml:6:1: info MODE: the workflow runs; the playbook beside it does not',
    );
    expect(stdout).not.toContain('office.yaml');
    expect(code).toBe(0);
  });
});
