// `npm run release:version`: takes the changes that wait in .changeset into versions and changelogs, and tells the
// lock file and CITATION.cff.
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkUsage } from '../usage.mjs';

checkUsage(`usage: npm run release:version
Gives the packages the version that the files in .changeset ask for, and writes their changelogs, package-lock.json and CITATION.cff.`);
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
execSync('npx changeset version', { stdio: 'inherit' });
const { version } = JSON.parse(readFileSync('packages/nearfield/package.json', 'utf8'));
writeFileSync(
  'CITATION.cff',
  readFileSync('CITATION.cff', 'utf8').replace(/^version: .*$/m, `version: ${version}`),
);
execSync('npm install --package-lock-only --ignore-scripts', { stdio: 'inherit' });
