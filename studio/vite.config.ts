// The studio as static files that any web server can host, from any folder: all addresses are relative.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: source('.'),
  base: './',
  resolve: {
    alias: [
      // Not published, so not built: who uses them carries them.
      ...['report', 'samples'].map(name => ({
        ...{ find: `@nearfield/${name}`, replacement: source(`../packages/${name}/src/index.ts`) },
      })),
      { find: /^(fs|path|.*draco_encoder_gltf_nodejs)$/, replacement: source('none.ts') },
    ],
  },
  worker: { format: 'es' },
  build: { target: 'es2022', outDir: source('dist'), emptyOutDir: true, chunkSizeWarningLimit: 1500 },
  server: {
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  },
});
