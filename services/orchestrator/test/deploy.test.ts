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
  readonly volumes?: readonly string[];
}

async function compose(): Promise<Record<string, ComposeService>> {
  const text = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
  return (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services;
}

async function commands(): Promise<string[][]> {
  return Object.values(await compose())
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

  it('mounts files and folders that are there', async () => {
    const mounted = Object.values(await compose())
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => source.startsWith('./'));
    expect(mounted.length).toBeGreaterThan(3);
    expect(mounted.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  });

  it('has its processes scraped where they serve their metrics', async () => {
    const services = Object.keys(await compose());
    const { config } = await loadConfig({ file: join(ROOT, 'deploy/skillyard.yaml'), cwd: ROOT, env: {} });
    const { scrape_configs: jobs } = parse(
      await readFile(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8'),
    ) as { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] };
    const targets = jobs.flatMap(({ dns_sd_configs: found }) => found);
    const scraped = targets.flatMap(({ names }) => names);
    expect(scraped.toSorted()).toEqual(
      services.filter((name) => /^(orchestrator|worker)/.test(name)).toSorted(),
    );
    for (const { port } of targets) expect(port).toBe(config.telemetry?.metrics_port);
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
