// The studio as static files that any web server can host, from any folder: all addresses are relative.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { mediansOf } from './src/bench/recorded.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What machines have been measured at, as a module of the medians alone. */
const recordedTimes: Plugin = {
  name: 'recorded times',
  resolveId: id => (id === 'virtual:recorded' ? id : undefined),
  load(id) {
    if (id !== 'virtual:recorded') return undefined;
    const folder = source('../bench/results/');
    const files = readdirSync(folder).filter(name => /^[^.]+\.json$/.test(name));
    const recorded = files.flatMap(name =>
      mediansOf(name, JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))),
    );
    return `export default ${JSON.stringify(recorded)}`;
  },
};

export default defineConfig({
  root: source('.'),
  base: './',
  resolve: {
    alias: [
      // Not published, so not built: who uses them carries them.
      { find: 'nearfield-bench/page', replacement: source('../bench/src/page.ts') },
      ...['report', 'samples'].map(name => ({
        ...{ find: `@nearfield/${name}`, replacement: source(`../packages/${name}/src/index.ts`) },
      })),
      { find: /^(fs|path|.*draco_encoder_gltf_nodejs)$/, replacement: source('none.ts') },
    ],
  },
  plugins: [recordedTimes],
  worker: { format: 'es' },
  build: { target: 'es2022', outDir: source('dist'), emptyOutDir: true, chunkSizeWarningLimit: 2500 },
  server: {
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  },
});
