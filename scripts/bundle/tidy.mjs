// Tidies the library's built modules, for the builds of applications: without what nobody needs, and in an order that gzip likes. It
// looks back 32 KB, so that like must stand beside like. Where the texts of kernels stood between JavaScript, the complete library
// took 13 KB more.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** @param {string} folder what was built: entry points, and in `shared` what several of them need */
export function tidyModules(folder) {
  const modules = new Map();
  const read = (inFolder, name) =>
    modules.set(name, tidied(readFileSync(join(folder, inFolder, name), 'utf8')));
  const entries = readdirSync(folder).filter(isModule);
  const shared = readdirSync(join(folder, 'shared')).filter(isModule);
  for (const name of entries) read('', name);
  for (const name of shared) read('shared', name);
  const kernels = separateKernels(modules);
  for (const name of entries) {
    const texts = reachedFrom(name, modules).flatMap(module => kernels.get(module) ?? []);
    const imports = texts.map((text, i) => `import kernels${i} from "./shared/${text}";\n`);
    writeFileSync(join(folder, name), imports.join('') + modules.get(name));
    modules.delete(name);
  }
  for (const [name, text] of modules) writeFileSync(join(folder, 'shared', name), text);
}

const isModule = name => name.endsWith('.js');

/**
 * Without comments on members, which the bundler keeps: the declarations have them. Without imports that have no names, which it writes
 * to keep the order of side effects: there are none, as package.json says, and bundlers warn of them. With the WGSL first.
 */
function tidied(text) {
  const code = text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^import "[^"]+";\n/gm, '');
  const kernel = /^\/\/ .*\.wgsl\nvar \w+ = ".*";\n/gm;
  return (code.match(kernel) ?? []).sort().join('') + code.replace(kernel, '');
}

/**
 * Gives every WebAssembly module's text a file of its own. Entry points import those they need before all else, and builds write modules
 * in the order of imports. @returns the files, by the module that uses them
 */
function separateKernels(modules) {
  const found = new Map();
  for (const [name, code] of [...modules]) {
    const own = [];
    const rest = code.replace(
      /^\/\/ (.*)\.wasm\n(var \w+ = .*decode)\((".*")\);\n/gm,
      (_, path, start, text) => {
        const file = `${path.split('/').slice(3).join('-')}.wasm.js`;
        modules.set(file, `export default ${text};\n`);
        own.push(file);
        return `import text${own.length} from "./${file}";\n${start}(text${own.length});\n`;
      },
    );
    modules.set(name, rest);
    found.set(name, own);
  }
  return found;
}

/** A module and all that it imports, directly or not, in the order in which they run. */
function reachedFrom(name, modules, reached = new Set()) {
  if (reached.has(name)) return [];
  reached.add(name);
  const imported = [...modules.get(name).matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => basename(path));
  return [...imported.flatMap(each => reachedFrom(each, modules, reached)), name];
}
