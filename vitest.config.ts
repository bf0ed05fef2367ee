import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Tests read every package from its sources; a test that needs a built process starts it from dist.
// Not `module`: Node itself is started with these, and libraries mean it for bundlers only.
const conditions = ['@skillyard/source', ...defaultServerConditions.filter((name) => name !== 'module')];

const ALL = ['{packages,services}/*/{src,test}/**/*.test.ts', '{examples,bench,chaos,load}/**/*.test.ts'];
const NEVER = ['**/node_modules/**', '**/dist/**'];
// What stands beside a source file tests that file: it starts nothing that outlives it.
const UNITS = [
  'packages/{contracts,engine,lint,catalog,queue,executors,runtime,client,telemetry}/src/**/*.test.ts',
  'packages/cli/src/{graph,questions,skill,terminal}/**/*.test.ts',
  'services/{orchestrator,workers}/src/**/*.test.ts',
  'packages/engine/test/**/*.test.ts',
  'packages/kit/src/{builder,check,primitives,prompt,render,schema,workflow}/**/*.test.ts',
];

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
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
    },
  },
});
