// The site: documents of this repository as pages, at shorter addresses, with the pages that site/build.mjs generates.
// A link to a source file leads to a copy of that file, so that the site needs no other address.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigEnv, UserConfig } from 'vite';
import { defineConfig } from 'vitepress';
import { noticesOfPage } from '../../scripts/bundle/notices.mjs';
import { addressOf } from '../addresses.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the web server in which the site lies, with a slash at both ends: site/build.mjs sets it. */
const base = process.env['NEARFIELD_SITE_BASE'] ?? '/';
/** Files that Git ignores are not documents, except those that the site generates. */
const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
  .split('\n')
  .filter(line => line !== '' && line !== 'site/generated')
  .map(line => (line.includes('/') ? `${line}/**` : `**/${line}/**`));

/** Whether this build only checks the pages, so that no visitor gets them. */
const isPart = process.env['NEARFIELD_SITE_PART'] !== undefined;

/** Bundling with care takes long. It is left out where nobody downloads the result, such as the bundles that render pages beforehand. */
const bundling = (_: unknown, { isSsrBuild }: ConfigEnv): UserConfig =>
  isSsrBuild || isPart ? { build: { minify: false, rollupOptions: { treeshake: false } } } : {};

export default defineConfig({
  title: 'Nearfield',
  description: 'Where triangle meshes touch, how deep, and how far apart: exactly, on WebGPU and on the CPU.',
  lang: 'en',
  base,
  srcDir: '..',
  outDir: './dist',
  cacheDir: '../.cache/vitepress',
  srcExclude: [...ignored, '.*/**', 'README.md', 'examples/**', 'test/**'],
  cleanUrls: false,
  rewrites: addressOf,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  vite: {
    publicDir: join(root, 'site/public'),
    plugins: [noticesOfPage().page, { name: 'bundling', config: bundling }],
    build: { chunkSizeWarningLimit: 2000 },
    // Addresses of pages are checked by the build, and of files by site/check.mjs.
    server: { fs: { allow: [root] } },
  },
  markdown: {
    ...(isPart ? { highlight: plain } : {}),
    config(markdown) {
      const fallback =
        markdown.renderer.rules.link_open ??
        ((tokens, index, options, _, self) => self.renderToken(tokens, index, options));
      markdown.renderer.rules.link_open = (tokens, index, options, environment, self) => {
        const href = tokens[index].attrGet('href') ?? '';
        const [, path, heading] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
        const name = fileOf(path, environment.realPath ?? environment.path);
        if (name?.endsWith('.md')) tokens[index].attrSet('href', `/${addressOf(name)}${heading ?? ''}`);
        if (name === undefined || name.endsWith('.md'))
          return fallback(tokens, index, options, environment, self);
        tokens[index].attrSet('href', `${base}source/${name}.txt`);
        tokens[index].attrSet('target', '_self');
        return self.renderToken(tokens, index, options);
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/' },
      { text: 'Manual', link: '/manual' },
      { text: 'API', link: '/api/' },
      { text: 'Command line', link: '/cli/' },
      { text: 'Exactness', link: '/exact' },
      { text: 'Papers', link: '/papers/' },
      { text: 'Benchmarks', link: '/benchmarks/' },
      { text: 'Studio', link: '/studio/index.html', target: '_self' },
    ],
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'What it is', link: '/' },
          { text: 'Five minutes', link: '/begin' },
        ],
      },
      {
        text: 'Guides',
        items: [
          { text: 'All guides', link: '/guides/' },
          { text: 'Check an assembly in CI', link: '/guides/continuous-integration' },
          { text: 'BIM coordination', link: '/guides/bim-coordination' },
          { text: 'three.js in a page', link: '/guides/three' },
          { text: 'Clearance in a viewer', link: '/guides/clearance' },
          { text: "A robot's motion", link: '/guides/robot' },
          { text: 'Dental occlusion', link: '/guides/dental' },
          { text: 'Cloth', link: '/guides/cloth' },
          { text: 'Particles', link: '/guides/particles' },
          { text: 'Many machines', link: '/guides/cluster' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Manual', link: '/manual' },
          { text: 'Entry points', link: '/library' },
          { text: 'Particles', link: '/particles' },
          { text: 'Files', link: '/files' },
          { text: 'API', link: '/api/' },
          { text: 'Command line', link: '/cli/' },
          { text: 'Rules, baselines, statuses', link: '/rules' },
          { text: 'Shards and clusters', link: '/cluster' },
          { text: 'Sample scenes', link: '/samples' },
          { text: 'The studio', link: '/about-studio' },
        ],
      },
      {
        text: 'How it works',
        items: [
          { text: 'What exact means', link: '/exact' },
          { text: 'From question to answer', link: '/architecture' },
          { text: 'The papers', link: '/papers/' },
          { text: 'Benchmarks', link: '/benchmarks/' },
        ],
      },
      {
        text: 'Project',
        items: [
          { text: 'Contributing', link: '/contributing' },
          { text: 'A tour for contributors', link: '/contributing/' },
          { text: 'Add a format', link: '/contributing/add-a-format' },
          { text: 'Add a question', link: '/contributing/add-a-question' },
          { text: 'Add a kernel', link: '/contributing/add-a-kernel' },
          { text: 'Changelog', link: '/changelog' },
          { text: 'Security', link: '/security' },
        ],
      },
    ],
  },
});

/** The path in the repository of the file that a link of a document leads to; of a folder, that of its index. Pictures are left alone. */
function fileOf(path: string, document: string): string | undefined {
  if (path === '' || /^([a-z]+:|\/)/.test(path)) return undefined;
  const file = resolve(dirname(document), path);
  const name = relative(root, file).replaceAll('\\', '/');
  if (name.startsWith('..') || /\.(html|png|svg)$/.test(name) || !existsSync(file)) return undefined;
  return statSync(file).isDirectory() ? `${name}/index` : name;
}

/** A program without colours. */
function plain(code: string): string {
  const escaped = code.replace(/[&<>]/g, letter => `&#${letter.charCodeAt(0)};`);
  return `<pre v-pre><code>${escaped}</code></pre>`;
}
