import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['@skillyard/source', 'module', 'browser', 'development|production'] },
  // Whoever serves the page allows scripts and styles of its own origin only: nothing is inlined.
  build: { outDir: 'dist', assetsInlineLimit: 0, chunkSizeWarningLimit: 900, reportCompressedSize: false },
  // `npx vite` in this folder shows the sources, with the API of an installation at its usual port.
  server: { proxy: { '/v1': 'http://127.0.0.1:7310' } },
});
