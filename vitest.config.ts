import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Tests read every package from its sources; a test that needs a built process starts it from dist.
// Not `module`: Node itself is started with these, and libraries mean it for bundlers only.
const conditions = ['@skillyard/source', ...defaultServerConditions.filter((name) => name !== 'module')];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,services}/*/{src,test}/**/*.test.ts', '{examples,bench,chaos,load}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
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
