// Checks the built site as a visitor's browser would meet it: every address and every heading that a page links to exists.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Throws with all links that lead nowhere. Addresses within the site begin with `base`. Links into `absent` folders, which were not
 * built, are not checked.
 */
export function checkSite(out, base, absent = []) {
  const pages = readdirSync(out, { recursive: true })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.html') && !name.startsWith('studio/'));
  const texts = new Map(pages.map(page => [page, readFileSync(join(out, page), 'utf8')]));
  const dead = [];
  for (const [page, text] of texts) {
    for (const [, link] of text.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(link)) continue;
      const [path, heading] = link.replaceAll('&amp;', '&').split('#');
      if (path.startsWith('/') && !path.startsWith(base)) {
        dead.push(`${page}: ${link} does not begin with ${base}`);
        continue;
      }
      const below = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(page), path);
      const file = path === '' ? page : posix.join('.', below);
      const found = [file, `${file}.html`, posix.join(file, 'index.html')].find(
        name => name.includes('.') && existsSync(join(out, name)),
      );
      const isThere =
        absent.some(folder => file.startsWith(folder)) ||
        (found !== undefined &&
          (heading === undefined ||
            heading === '' ||
            !texts.has(found) ||
            hasHeading(texts.get(found), heading)));
      if (!isThere) dead.push(`${page}: ${link}`);
    }
  }
  if (dead.length > 0)
    throw new Error(`${dead.length} links lead nowhere:\n${[...new Set(dead)].join('\n')}`);
}

function hasHeading(text, heading) {
  const id = decodeURIComponent(heading);
  return text.includes(`id="${id}"`) || text.includes(`id="${heading}"`);
}
