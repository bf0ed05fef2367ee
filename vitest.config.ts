import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests read every package from its sources; a test that needs a built process starts it from dist.
// Not `module`: Node itself is started with these, and libraries mean it for bundlers only.
const conditions = ['@skillyard/source', ...defaultServerConditions.filter((name) => name !== 'module')];

const ALL = ['{packages,services}/*/{src,test}/**/*.test.ts', '{examples,bench,chaos,load}/**/*.test.ts'];
const NEVER = ['**/node_modules/**', '**/dist/**'];
// What stands beside a source file tests that file: it starts nothing that outlives it.
const UNITS = [
  'packages/{contracts,processes,engine,lint,catalog,queue,executors,runtime,client,telemetry}/src/**/*.test.ts',
  'packages/cli/src/{graph,questions,skill,terminal}/**/*.test.ts',
  'services/{orchestrator,workers}/src/**/*.test.ts',
  'packages/engine/test/**/*.test.ts',
  'packages/program/src/{protocol,sdk,skill,hosted}/**/*.test.ts',
  'packages/kit/src/{builder,check,primitives,prompt,render,schema,workflow}/**/*.test.ts',
];

/** Files that start processes and wait for them, the longest first: begun last, one of them would be alone in the end. */
const SLOW = [/chaos\/matrix/, /chaos\//, /conformance\.test/, /\.e2e\.test/, /\.prop\.test/];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => slowness(a) - slowness(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function slowness({ moduleId }: TestSpecification): number {
  const at = SLOW.findIndex((pattern) => pattern.test(moduleId));
  return at < 0 ? SLOW.length : at;
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      // Their modules are loaded once for all of them.
      { extends: true, test: { name: 'units', include: UNITS, isolate: false } },
      { extends: true, test: { name: 'world', include: ALL, exclude: [...NEVER, ...UNITS] } },
    ],
    exclude: NEVER,
    sequence: { sequencer: SlowFirst },
    environment: 'node',
    pool: 'forks',
    // One more than a small machine has cores: many of the tests wait for times that a system keeps.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
    },
  },
});
