import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ModelServer,
  type NodeProcess,
  type RedisServer,
  startModelServer,
  startRedis,
  toolServerCommand,
} from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './cli-process.ts';
import { local, queueOn, replies } from './drivers.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

const HEADER = 'skill_engine_version: "2.5.0"\ndescription: For a test.\n';

const queue = queueOn(redis);

describe.skipIf(redis === undefined)('a skill whose tools come from sources', () => {
  let place: Workplace;
  let model: ModelServer;
  let served: NodeProcess;

  beforeAll(async () => {
    place = await openWorkplace();
    model = await startModelServer();
    const config = {
      models: { m: { provider: 'openai-compatible', model: 'double', base_url: model.url } },
      servers: { depot: toolServerCommand() },
      redis: { prefix: `cli-${randomUUID().slice(0, 8)}` },
      skills: ['.'],
    };
    await place.write({
      'skillyard.yaml': JSON.stringify(config),
      'shared.yaml': `${HEADER}name: shared\ntool_refs: ["depot:echo"]\nplaybook: p\n`,
      'clerk.yaml': `${HEADER}name: clerk\nincludes: [{skill: shared}]\nplaybook: Look it up.\n`,
      'caller.yaml': `${HEADER}name: caller\nincludes: [{skill: shared}]\nworkflow:\n  tools: [depot]\n  steps:\n    - call: {tool: "depot:echo", args: {text: "{{input}}"}, save_as: answer}\n    - call: {tool: "depot:append", args: {file: "${join(place.folder, 'never')}", line: x}}\n`,
      'loop.yaml': `${HEADER}name: loop\nincludes: [{skill: back}]\nworkflow: {steps: [{exit: {}}]}\n`,
      'back.yaml': `${HEADER}name: back\nincludes: [{skill: loop}]\nworkflow: {steps: [{exit: {}}]}\n`,
      'office.yaml': `${HEADER}name: office\nworkflow: {steps: [{name: pass, delegate: {skill: back, task: t}, save_as: answer, on_error: continue}]}\n`,
    });
    served = place.start(['serve', '--port', '0'], { REDIS_URL: redis?.url ?? '' });
    await served.wrote('ready: ');
  });
  afterAll(async () => {
    await served.stop();
    await model.close();
    await place.remove();
  });

  describe.each([local, queue])('by $name', (driver) => {
    it('shows a model the one tool that an included skill names', async () => {
      const file = join(place.folder, `depot-${driver.name}`);
      model.answerBy((request) => {
        const [inside, outside] = replies(request);
        if (inside !== undefined) return { text: `inside: ${inside}\noutside: ${outside}` };
        return {
          calls: [
            { name: 'depot__echo', args: { text: 'found' } },
            { name: 'depot__append', args: { file, line: 'written' } },
          ],
        };
      });
      const run = await driver.run(place, ['clerk.yaml', '--input', 'rye']);
      expect(run.stdout).toMatch(/^inside: found\noutside: ERROR: there is no tool/);
      const offered = model.requests.at(-1)?.body['tools'] as { function: { name: string } }[];
      expect(offered.map((tool) => tool.function.name)).toEqual(['depot__echo']);
      expect(existsSync(file)).toBe(false);
    });

    it('refuses a call of another tool of that server', async () => {
      const run = await driver.run(place, ['caller.yaml', '--input', 'rye', '--json']);
      expect(JSON.parse(run.stdout)).toMatchObject({
        status: 'failed',
        answer: 'rye',
        error: {
          code: 'RADIUS_REFUSED',
          message: expect.stringContaining('tool "depot:append" is outside the radius'),
        },
      });
      expect(existsSync(join(place.folder, 'never'))).toBe(false);
    });

    it('refuses skills that include each other with INCLUDE_CYCLE, also as a delegate', async () => {
      const run = await driver.run(place, ['loop.yaml']);
      expect(run.stderr).toContain('INCLUDE_CYCLE');
      expect(run.stderr).toContain('Cycle detected in skill includes: loop -> back -> loop');
      expect(run.code).toBe(2);
      const office = await driver.run(place, ['office.yaml']);
      expect(office.stdout).toContain('Cycle detected in skill includes: back -> loop -> back');
    });
  });
});
