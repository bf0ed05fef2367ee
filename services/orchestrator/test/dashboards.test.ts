import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const FILES = [
  'deploy/grafana/dashboards/skillyard.json',
  'deploy/prometheus/alerts.yml',
  'deploy/kubernetes/worker-model.yaml',
  'deploy/kubernetes/worker-files.yaml',
];

/** The metrics of docs/telemetry.md as Prometheus calls them, each with how it ends. */
async function served(): Promise<Set<string>> {
  const page = await readFile(join(ROOT, 'docs/telemetry.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (`.+?`) \|.*?\| \w+ \| (counter|gauges?|histogram)(, seconds)?/gm)];
  return new Set(
    rows.flatMap(([, names = '', kind = '', seconds]) => {
      const [first = '', ...others] = names.replaceAll('`', '').split(', ');
      const family = first.slice(0, first.lastIndexOf('.'));
      return [first, ...others.map((name) => family + name)].flatMap((name) => {
        const base = name.replaceAll('.', '_') + (seconds === undefined ? '' : '_seconds');
        if (kind === 'counter') return [`${base}_total`];
        return kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => base + end) : [base];
      });
    }),
  );
}

describe.each(FILES)('%s', (file) => {
  it('asks for metrics that there are', async () => {
    const text = await readFile(join(ROOT, file), 'utf8');
    const asked = new Set(
      // Attributes (gen_ai_request_model) are none.
      text.match(/\b(skillyard|gen_ai_client)_[a-z_]+/g) ?? [],
    );
    const known = await served();
    expect(known.size).toBeGreaterThan(15);
    expect(asked.size).toBeGreaterThan(0);
    expect([...asked].filter((name) => !known.has(name))).toEqual([]);
  });
});
