// How Node itself loads the sources in tests: TypeScript without its types, kernels as text (.wgsl) or bytes (.wasm) as the
// build bundles them, and the packages by their names from where tsconfig.json says their sources are.
//
// Vite's own module runner would make of every imported name a look into a table and a call. Small functions of other
// modules in a hot loop, as in the exact arithmetic of the oracles, then take up to a third of the time.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const root = new URL('../../', import.meta.url);
const { paths } = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8')).compilerOptions;

/** For all but itself: it is made of what it stands for. */
const quickVitest = new URL('vitest.mjs', import.meta.url).href;

/** Vitest's mark on the names of files of tests, of which each is loaded anew. */
const fresh = /(?:%3F|\?)vitest=\d+$/;

/**
 * Files and Node's own modules are found here and not by Vitest's own hook, which tells its main process of each: where that
 * has much to do and tests are short, they end before it has answered, and the run with an error.
 */
export async function resolve(specifier, context, next) {
  const source = Object.hasOwn(paths, specifier) ? paths[specifier][0] : undefined;
  if (source !== undefined) return { url: new URL(source, root).href, shortCircuit: true };
  if (specifier === 'vitest' && context.parentURL !== quickVitest) {
    return { url: quickVitest, shortCircuit: true };
  }
  if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true };
  if (!/^(\.|file:)/.test(specifier)) return next(specifier, context);
  const { href } = new URL(specifier.replace(fresh, ''), context.parentURL);
  if (href.includes('/node_modules/')) return next(specifier, context);
  return { url: fresh.test(specifier) ? `${href}?vitest=${Date.now()}` : href, shortCircuit: true };
}

export async function load(url, context, next) {
  const { href, pathname, protocol } = new URL(url);
  const extension = /\.(ts|wgsl|wasm)$/.exec(pathname)?.[1];
  if (protocol !== 'file:' || extension === undefined || pathname.includes('/node_modules/')) {
    return next(url, context);
  }
  const source = await moduleOf(fileURLToPath(href), extension);
  return { format: 'module', source, shortCircuit: true };
}

async function moduleOf(file, extension) {
  if (extension === 'wasm') {
    const base64 = await readFile(file, 'base64');
    return `export default Uint8Array.from(atob('${base64}'), c => c.charCodeAt(0))`;
  }
  const text = await readFile(file, 'utf8');
  if (extension === 'wgsl') return `export default ${JSON.stringify(text)}`;
  const options = { loader: 'ts', target: 'es2022', sourcemap: 'inline', sourcefile: file };
  // Without tsconfig.json, as the build does it.
  const { code } = await transform(text, { ...options, tsconfigRaw: {} });
  return code;
}
