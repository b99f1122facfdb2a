// Builds the studio as static files that any web server can host, from any folder: all URLs are relative.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { defineConfig, type Plugin } from 'vite';
import { foreignFiles, readForeign } from '../packages/cli/src/studio/foreign-packages.ts';
import { noticesOfPage } from '../scripts/bundle/notices.mjs';
import { mediansOf } from './src/bench/recorded.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The recorded results as a module of medians only. */
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

/** The library as one file that the page and all its workers load, because it is most of what each of them needs. */
function sharedLibrary(): { plugin: Plugin; options: object; modules: string[] } {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [source('../packages/nearfield/dist/index.js')],
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, logLevel: 'warning' },
    metafile: true,
  });
  const [{ text }] = outputFiles;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const fileName = `nearfield-${hash}.js`;
  const plugin: Plugin = {
    name: 'shared library',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: `assets/${fileName}`, source: text });
      // What the library's threads run: it looks for that beside itself.
      const jobs = readFileSync(source('../packages/nearfield/dist/shared/jobs.js'));
      this.emitFile({ type: 'asset', fileName: 'assets/jobs.js', source: jobs });
    },
  };
  // The whole library lies in one folder.
  const paths = {
    nearfield: `./${fileName}`,
    'web-ifc': '../packages/web-ifc.js',
    'occt-import-js': '../packages/occt-import-js.js',
  };
  const modules = Object.keys(metafile.inputs).map(path => resolve(path));
  return { plugin, options: { external: Object.keys(paths), output: { paths } }, modules };
}

/**
 * The packages that read IFC and STEP, as files of their own, with their licences: they are loaded when a file needs
 * them. The command line leaves them out of the page that it carries, and serves those that are installed.
 */
const foreignPackages: Plugin = {
  name: 'foreign packages',
  configureServer(server) {
    server.middlewares.use('/packages', (request, response, next) => {
      readForeign((request.url ?? '').slice(1)).then(bytes => {
        if (bytes === undefined) return next();
        response.setHeader(
          'Content-Type',
          request.url!.endsWith('.js') ? 'text/javascript' : 'application/wasm',
        );
        response.end(bytes);
      }, next);
    });
  },
  async generateBundle() {
    for (const name of Object.keys(foreignFiles)) {
      const bytes = await readForeign(name);
      if (bytes) this.emitFile({ type: 'asset', fileName: `packages/${name}`, source: bytes });
    }
    for (const [name, path] of [
      ['web-ifc', 'web-ifc/LICENSE.md'],
      ['occt-import-js', 'occt-import-js/dist/license.occt-import-js.txt'],
      ['open-cascade', 'occt-import-js/dist/license.occt.txt'],
    ]) {
      const text = readFileSync(source(`../node_modules/${path}`), 'utf8');
      this.emitFile({ type: 'asset', fileName: `packages/licences/${name}.txt`, source: text });
    }
  },
};

/**
 * Lists the files whose names contain a hash of their content, which browsers may keep forever: everything that the
 * build creates, under the names that Vite gives them, in its assets folder. Files that are only copied there are not
 * in the list.
 */
const listHashed: Plugin = {
  name: 'list of hashed files',
  writeBundle({ dir }, bundle) {
    const hashed = Object.keys(bundle).filter(name => /^assets\/.+-[\w-]{8}\.\w+$/.test(name));
    writeFileSync(join(dir!, 'hashed.json'), JSON.stringify(hashed.sort()));
  },
};

export default defineConfig(({ command }) => {
  const shared = command === 'build' ? sharedLibrary() : undefined;
  const notices = noticesOfPage(shared?.modules);
  return {
    root: source('.'),
    base: './',
    resolve: {
      alias: [
        // Not published, so not built: the packages that use them bundle them.
        { find: 'nearfield-bench/page', replacement: source('../bench/src/page.ts') },
        { find: '@nearfield/samples', replacement: source('../packages/samples/src/index.ts') },
        {
          find: /^(fs|path|crypto|module|perf_hooks|worker_threads|.*draco_encoder_gltf_nodejs)$/,
          replacement: source('none.ts'),
        },
      ],
    },
    plugins: [recordedTimes, listHashed, foreignPackages, ...(shared ? [shared.plugin, notices.page] : [])],
    worker: { format: 'es', plugins: () => [notices.worker], rollupOptions: { ...shared?.options } },
    build: {
      ...{ target: 'es2022', outDir: source('dist'), emptyOutDir: true, chunkSizeWarningLimit: 1500 },
      rollupOptions: { ...shared?.options },
    },
    server: {
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
  };
});
