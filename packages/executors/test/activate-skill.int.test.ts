import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '@skillyard/contracts';
import { type ModelServer, startModelServer } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { callJob, executorsFor, failureText, generateJob, run } from './jobs.ts';

const skillText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

let folder: string;
let model: ModelServer;
let executors: Executors;

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-skills-'));
});
afterEach(async () => {
  await executors.close();
  await rm(folder, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

function open(agentSkills: Config['agent_skills']): Executors {
  const main = { provider: 'openai-compatible', model: 'double', base_url: model.url } as const;
  executors = executorsFor({
    models: { main },
    ...(agentSkills && { agent_skills: agentSkills }),
  });
  return executors;
}

const shared = (): Config['agent_skills'] => ({ enable_default_skills: true, paths: [folder] });
const tools = ['builtin:activate_skill'];
const lastBody = (): string => JSON.stringify(model.requests.at(-1)?.body);

describe('builtin:activate_skill', () => {
  it('is offered with the names of the skills, and their descriptions are told before the conversation', async () => {
    await write({
      'proof/SKILL.md': skillText('proof', 'Reads <proofs>.', 'Look twice.'),
      'bind/SKILL.md': skillText('bind', 'Binds books.', 'Glue it.'),
    });
    open(shared());
    await run(executors, generateJob({ system: 'Be brief.', tools }));
    const body = model.requests.at(-1)?.body as {
      messages: { role: string; content: string }[];
      tools: { function: { name: string; parameters: unknown } }[];
    };
    expect(body.tools.map((tool) => tool.function.name)).toEqual(['builtin__activate_skill']);
    expect(body.tools[0]?.function.parameters).toMatchObject({
      properties: { name: { enum: ['bind', 'proof'] } },
    });
    expect(body.messages[0]?.role).toBe('system');
    expect(body.messages[0]?.content).toMatch(
      /^Be brief\.\n\n<available_skills>\n[\s\S]*Reads &lt;proofs&gt;\.[\s\S]*<\/available_skills>$/,
    );
  });

  it('gives the instructions of the skill that is chosen, where it is, and which files come with it', async () => {
    await write({
      'proof/SKILL.md': skillText('proof', 'Reads proofs.', 'Look twice.'),
      'proof/marks.md': 'a',
      'proof/sheets/one.md': 'b',
    });
    open(shared());
    const result = await run(executors, callJob('builtin:activate_skill', { name: 'proof' }));
    expect(result.status).toBe('ok');
    expect(JSON.parse(result.text)).toEqual({
      skill: 'proof',
      instructions: 'Look twice.',
      location: '/proof',
      resources: ['marks.md', 'sheets/one.md'],
    });
    expect(await executors.effectOf('builtin', 'activate_skill', AbortSignal.timeout(5000))).toBe('read');
  });

  it('refuses a name that is not in the list, and says which are', async () => {
    await write({ 'proof/SKILL.md': skillText('proof', 'Reads proofs.', 'Look twice.') });
    open(shared());
    const result = await run(executors, callJob('builtin:activate_skill', { name: 'print' }));
    expect(result.miss).toBe(true);
    expect(failureText(result)).toMatch(/^error TOOL_ARGUMENTS_INVALID: .*proof/);
  });

  it('has the skills that are meant for this agent, and no others', async () => {
    await write({
      '.skillyard/ours/SKILL.md': skillText('ours', 'For us.', 'a'),
      '.other/theirs/SKILL.md': skillText('theirs', 'For them.', 'b'),
      'plain/SKILL.md': skillText('plain', 'For all.', 'c'),
    });
    open({ paths: [folder] });
    await run(executors, generateJob({ tools }));
    expect(lastBody()).toContain('"enum":["ours"]');
  });

  it.each([
    ['nothing is configured', undefined],
    ['there are no skills', { enable_default_skills: true, paths: ['no-such-folder'] }],
  ])('is not there when %s, and neither is a word about skills', async (_when, config) => {
    open(config);
    const result = await run(executors, generateJob({ tools, instruction: 'Go.' }));
    expect(result).toMatchObject({ status: 'ok', text: 'Go.' });
    expect(lastBody()).not.toContain('skill');
    expect(failureText(await run(executors, callJob('builtin:activate_skill', { name: 'proof' })))).toMatch(
      /^error TOOL_UNKNOWN: /,
    );
  });

  it('is not offered to a step that does not name it, whatever is configured', async () => {
    await write({ 'proof/SKILL.md': skillText('proof', 'Reads proofs.', 'Look twice.') });
    open(shared());
    await run(executors, generateJob({ tools: ['builtin:memory_read'] }));
    expect(lastBody()).not.toContain('proof');
  });

  it('fails the step with the file when the loading is strict and a skill cannot be read', async () => {
    await write({ 'proof/SKILL.md': '---\nname: [\n---\n' });
    open({ ...shared(), strict: true });
    expect(failureText(await run(executors, generateJob({ tools })))).toMatch(
      /^error SKILL_INVALID: .*proof\/SKILL\.md/,
    );
  });
});
