// `node scripts/publish/follow-site.mjs`: does what the built site tells a reader to do. Every block of commands that
// the pages give for an empty folder is run in one, with the archives that the site carries. What serves a page has
// to answer.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { launchBrowser } from '../browser.mjs';
import { checkUsage } from '../usage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = process.argv.slice(2);
checkUsage(
  `usage: node scripts/publish/follow-site.mjs [PAGE...]
Runs the commands that pages of site/dist give for an empty folder, for example of begin or guides/robot; without a name those of all
guides. Run npm run docs first. Needs the network, for the packages that come from npm.`,
  names.filter(name => !name.startsWith('-')),
);
const guides = readdirSync(join(root, 'docs/guides')).map(name =>
  name === 'README.md' ? 'guides/index' : `guides/${name.replace(/\.md$/, '')}`,
);
const pages = names.length > 0 ? names : ['begin', ...guides];

const server = await preview({
  ...{ root: join(root, 'site'), configFile: false, appType: 'mpa', logLevel: 'error' },
  preview: { port: 0, host: '127.0.0.1' },
});
const site = `http://127.0.0.1:${server.httpServer.address().port}`;
const failed = [];
try {
  for (const [page, script] of await scriptsOf(pages)) {
    const wrong = await follow(script);
    console.log(`${wrong === undefined ? 'done' : 'FAILED'}  ${page}: ${script.split('\n').at(-1)}`);
    if (wrong !== undefined) failed.push(`${page}:\n${script}\n${wrong}`);
  }
} finally {
  await server.close();
}
if (failed.length > 0) throw new Error(failed.join('\n\n'));

/** The commands for an empty folder, as a reader sees them: with the address of the site. */
async function scriptsOf(wanted) {
  const browser = await launchBrowser({ isSeen: false });
  try {
    const tab = await browser.newPage();
    const found = [];
    for (const page of wanted) {
      await tab.goto(`${site}/${page}.html`);
      await tab.waitForFunction(address => document.body.innerText.includes(`${address}/downloads`), site);
      const texts = await tab.$$eval('.get-it code', blocks => blocks.map(block => block.innerText));
      found.push(...texts.map(text => [page, text]));
    }
    return found;
  } finally {
    await browser.close();
  }
}

/** Runs a script in an empty folder until it ends or serves something. Returns what went wrong. */
async function follow(script) {
  const folder = mkdtempSync(join(tmpdir(), 'reader-'));
  const lines = script.split('\n');
  // A Python script reads models of the reader, and there are none here.
  if (lines.at(-1).startsWith('python3')) lines.pop();
  const mayFind = lines.at(-1).includes('nearfield sample'); // finds clashes: exit status 1
  // A reader's shell has no NODE_ENV. Vite has set it to production here, and npm would leave out development dependencies.
  const { NODE_ENV: _, ...env } = { ...process.env, NO_COLOR: '1' };
  const child = spawn('bash', ['-e', '-c', lines.join('\n')], { cwd: folder, env, detached: true });
  let printed = '';
  try {
    return await new Promise(resolve => {
      const read = async chunk => {
        printed += chunk;
        const address = /http:\/\/(localhost|127\.0\.0\.1):\d+\S*/.exec(printed)?.[0];
        if (address === undefined || printed.includes(site)) return;
        const answer = await fetch(address).catch(error => error);
        if (answer.status < 500) resolve(undefined);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', chunk => (printed += chunk));
      child.on('close', status =>
        resolve(status === 0 || (mayFind && status === 1) ? undefined : `ended with ${status}:\n${printed}`),
      );
    });
  } finally {
    try {
      process.kill(-child.pid);
    } catch {
      // It has ended.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
