// `npm run release:check`: what must hold before the packages are published. Packs each as npm would, and checks its files, exports
// and types; installs them, and writes an SBOM (CycloneDX) and a list of licences of what came with them to release/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { runNpm } from '../setup.mjs';
import { checkUsage } from '../usage.mjs';
import { releases } from './ratios.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(root, 'release');

/** The folders and manifests of the packages that are published. */
export function publishedPackages() {
  return readdirSync(join(root, 'packages'))
    .map(name => ({ folder: `packages/${name}`, ...manifestOf(`packages/${name}`) }))
    .filter(({ private: isPrivate }) => isPrivate !== true);
}

const manifestOf = folder => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const quietly = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
const npm = (words, cwd = root) => runNpm(words, { ...quietly, cwd });

/** What publint finds wrong with a package, in words. */
export async function lintPackage(folder) {
  const { messages, pkg } = await publint({ pkgDir: join(root, folder), pack: false, strict: true });
  return messages.map(message => `${folder}: ${formatMessage(message, pkg)}`);
}

/** What npm would correct in the manifest of a package when it publishes it, in words. */
export function correctionsOf(folder) {
  const copy = mkdtempSync(join(tmpdir(), 'nearfield-manifest-'));
  try {
    const given = manifestOf(folder);
    const file = join(copy, 'package.json');
    writeFileSync(file, JSON.stringify(given));
    npm(['pkg', 'fix'], copy);
    const fixed = JSON.parse(readFileSync(file, 'utf8'));
    return Object.keys({ ...given, ...fixed })
      .filter(key => JSON.stringify(given[key]) !== JSON.stringify(fixed[key]))
      .map(key => `${folder}: npm would write ${key} as ${JSON.stringify(fixed[key])}`);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** What is installed in a folder, as a CycloneDX list, by its lock file. */
export function sbomOf(folder) {
  return JSON.parse(npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], folder));
}

/**
 * An SBOM with the packages whose code the command line and the studio carry. What THIRD-PARTY.txt says of them is enough: npm does not
 * install them there, so it does not list them.
 */
export function withBundled(sbom, notices) {
  const known = new Set(sbom.components.map(({ name, group }) => (group ? `${group}/${name}` : name)));
  const bundled = new Map();
  for (const text of notices)
    for (const [, name, version, licence] of text.matchAll(/^-{80}\n(\S+) (\S+) \((\S+)\)$/gm))
      bundled.set(name, {
        ...{ 'bom-ref': `${name}@${version}`, type: 'library', name, version, scope: 'required' },
        licenses: [{ license: { id: licence } }],
        properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
      });
  const others = [...bundled.values()].filter(({ name }) => !known.has(name));
  return { ...sbom, components: [...sbom.components, ...others] };
}

/** The notices beside the bundles of the command line and of the studio that it carries. */
export const bundledNotices = () =>
  ['', 'studio/'].map(folder =>
    readFileSync(join(root, `packages/cli/dist/${folder}THIRD-PARTY.txt`), 'utf8'),
  );

/** Name, version and licence of everything in an SBOM, in order. */
export function licencesIn(sbom) {
  return sbom.components
    .map(({ group, name, version, licenses }) => ({
      name: group ? `${group}/${name}` : name,
      version,
      licence: (licenses ?? [])
        .map(({ license, expression }) => expression ?? license?.id ?? license?.name)
        .join(' AND '),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function check() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const wrong = [];
  const { version } = manifestOf('packages/nearfield');
  if (releases()[version] === undefined)
    wrong.push(
      `no ratios to peers are kept for ${version}: measure, then run node scripts/publish/ratios.mjs`,
    );
  const archives = [];
  for (const { folder, name, exports } of publishedPackages()) {
    wrong.push(...(await lintPackage(folder)));
    const [{ filename }] = JSON.parse(
      npm(['pack', '--json', '--ignore-scripts', '--pack-destination', out, '-w', name]),
    );
    archives.push(filename);
    // A program has no types.
    if (exports !== undefined) {
      const program = 'node_modules/@arethetypeswrong/cli/dist/index.js';
      execFileSync(process.execPath, [program, join(out, filename), '--profile', 'esm-only'], quietly);
    }
    npm(['publish', '--dry-run', '--ignore-scripts', '--tag', 'check', '-w', name]);
    wrong.push(...correctionsOf(folder));
  }
  // Installed as people install them, so that the list is of what they get.
  writeFileSync(
    join(out, 'package.json'),
    JSON.stringify({ name: 'installed', version: '0.0.0', private: true }),
  );
  const quiet = ['--no-audit', '--no-fund', '--omit=optional', '--omit=peer', '--ignore-scripts'];
  npm(['install', ...quiet, ...archives.map(name => `./${name}`)], out);
  const sbom = withBundled(sbomOf(out), bundledNotices());
  writeFileSync(join(out, 'sbom.json'), JSON.stringify(sbom, null, 2));
  const rows = licencesIn(sbom).map(row => `| ${row.name} | ${row.version} | ${row.licence} |`);
  const head = [
    '# What is installed with the packages, or bundled into them',
    '',
    '| package | version | licence |',
    '|---|---|---|',
  ];
  writeFileSync(join(out, 'licences.md'), [...head, ...rows, ''].join('\n'));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  console.log('release/ has the packages, sbom.json and licences.md; nothing is wrong with them');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(
    `usage: npm run release:check
Packs the published packages as they were built last, checks files, exports and types, and writes SBOM and licences to release/.`,
    [],
  );
  await check();
}
