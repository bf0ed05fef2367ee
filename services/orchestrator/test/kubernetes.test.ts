import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerClasses } from '@skillyard/contracts';
import { loadConfig } from '@skillyard/runtime';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');

interface Container {
  readonly args?: readonly string[];
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
  readonly resources?: { readonly requests?: object; readonly limits?: { readonly memory?: string } };
  readonly securityContext?: {
    readonly readOnlyRootFilesystem?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
  };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly Container[];
      };
    };
    readonly scaleTargetRef?: { readonly name: string };
    readonly triggers?: readonly { readonly metadata: { readonly query: string } }[];
  };
}

async function manifests(): Promise<Manifest[]> {
  const { resources } = parse(await readFile(join(FOLDER, 'kustomization.yaml'), 'utf8')) as {
    resources: string[];
  };
  const texts = await Promise.all(resources.map((file) => readFile(join(FOLDER, file), 'utf8')));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
}

describe('deploy/kubernetes', () => {
  it('applies every file there is', async () => {
    const { resources } = parse(await readFile(join(FOLDER, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
    };
    const files = (await readdir(FOLDER)).filter(
      (file) => !['kustomization.yaml', 'skillyard.yaml'].includes(file),
    );
    expect(resources.toSorted()).toEqual(files.toSorted());
  });

  it('starts processes that are built, unprivileged, with probes and limits', async () => {
    const deployments = (await manifests()).filter(({ kind }) => kind === 'Deployment');
    expect(deployments.length).toBeGreaterThan(2);
    for (const { metadata, spec } of deployments) {
      const pod = spec?.template?.spec;
      const container = pod?.containers[0];
      expect({ name: metadata.name, labels: spec?.template?.metadata.labels, pod, container }).toMatchObject({
        labels: spec?.selector?.matchLabels,
        pod: { securityContext: { runAsNonRoot: true } },
        container: {
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
          readinessProbe: { httpGet: {} },
          livenessProbe: { httpGet: {} },
          resources: { limits: { memory: expect.stringMatching(/i$/) } },
        },
      });
      // A process ends by itself within 30 seconds; only then may it be killed.
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(30);
      const script = container?.args?.[0] ?? '';
      const source = script.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      expect({ source, isThere: existsSync(join(ROOT, source)) }).toEqual({ source, isThere: true });
    }
  });

  it('guards every deployment against disruptions', async () => {
    const all = await manifests();
    const guarded = all
      .filter(({ kind }) => kind === 'PodDisruptionBudget')
      .map(({ spec }) => spec?.selector?.matchLabels);
    for (const { spec } of all.filter(({ kind }) => kind === 'Deployment'))
      expect(guarded).toContainEqual(spec?.selector?.matchLabels);
  });

  it('scales a deployment for every class of its configuration by the backlog of that class', async () => {
    const { config } = await loadConfig({ file: join(FOLDER, 'skillyard.yaml'), cwd: ROOT, env: {} });
    const all = await manifests();
    const served = all
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => spec?.template?.spec.containers[0]?.args ?? [])
      .filter((_, index, args) => args[index - 1] === '--class');
    expect(new Set(served)).toEqual(new Set(workerClasses(config)));
    const scaled = all.filter(({ kind }) => kind === 'ScaledObject');
    expect(scaled.length).toBeGreaterThan(1);
    for (const { spec } of scaled) {
      const target = all.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === spec?.scaleTargetRef?.name,
      );
      const classes = target?.spec?.template?.spec.containers[0]?.args ?? [];
      const scaledBy = /class="([^"]+)"/.exec(spec?.triggers?.[0]?.metadata.query ?? '')?.[1];
      expect(classes).toContain(scaledBy);
      expect(target?.spec?.replicas).toBeUndefined();
    }
  });
});
