// Source files that pages link to, as text at /source/PATH.txt, so that the site needs no address but its own.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Copies every file that a page of the site links to below /source/. A folder becomes the list of what is in it. All addresses
 * begin with `base`.
 */
export function copySources(out, base) {
  const linked = new Set();
  for (const page of readdirSync(out, { recursive: true })) {
    if (!page.endsWith('.html')) continue;
    const text = readFileSync(join(out, page), 'utf8');
    for (const [, name] of text.matchAll(new RegExp(`href="${base}source/([^"#]+)\\.txt[#"]`, 'g')))
      linked.add(name);
  }
  for (const name of linked) {
    const file = join(out, 'source', `${name}.txt`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, existsSync(name) ? readFileSync(name) : listing(name.replace(/\/index$/, '')));
  }
}

function listing(folder) {
  const names = readdirSync(folder)
    .filter(name => name !== 'dist' && name !== 'node_modules')
    .map(name => (statSync(join(folder, name)).isDirectory() ? `${name}/` : name));
  return `${folder}\n\n${names.join('\n')}\n`;
}
