import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerClasses } from '@skillyard/contracts';
import { loadConfig } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');

interface ComposeService {
  readonly command?: readonly string[];
}

async function commands(): Promise<string[][]> {
  const text = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return Object.values(services)
    .map(({ command }) => [...(command ?? [])])
    .filter(([script]) => script?.startsWith('services/'));
}

describe('docker-compose.yml', () => {
  it('starts processes that are built', async () => {
    const sources = (await commands()).map(([script = '']) =>
      script.replace('/dist/', '/src/').replace(/\.js$/, '.ts'),
    );
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  });

  it('has a worker for every class of its configuration', async () => {
    const { config } = await loadConfig({ file: join(ROOT, 'deploy/skillyard.yaml'), cwd: ROOT, env: {} });
    const served = (await commands()).flatMap((command) =>
      command.filter((_, index) => command[index - 1] === '--class'),
    );
    expect(new Set(served)).toEqual(new Set(workerClasses(config)));
  });

  it('copies every package into the image before it installs', async () => {
    const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    const { workspaces } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    expect(workspaces).toEqual(['packages/*', 'services/*']);
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    for (const folder of Object.keys(lock.packages)) {
      if (!/^(packages|services)\/[^/]+$/.test(folder)) continue;
      expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/`);
    }
  });
});
