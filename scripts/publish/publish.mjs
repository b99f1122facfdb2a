// `npm run release:publish`: publishes the packages whose version is not on npm yet. The release workflow runs it.
// Provenance asks that a package names the repository in which it was built, so that is written into the manifests
// first.
import { execSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runNpm } from '../setup.mjs';
import { checkUsage } from '../usage.mjs';
import { publishedPackages } from './check.mjs';

checkUsage(`usage: GITHUB_REPOSITORY=OWNER/NAME npm run release:publish
Writes the repository into the manifests of the published packages, and publishes those whose version is not on npm yet.`);
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const repository = process.env.GITHUB_REPOSITORY;
if (!repository)
  throw new Error('GITHUB_REPOSITORY is not set: packages are published by the release workflow');
for (const { folder, name } of publishedPackages())
  runNpm([
    ...['pkg', 'set', '-w', name, 'repository.type=git'],
    ...[`repository.url=git+https://github.com/${repository}.git`, `repository.directory=${folder}`],
  ]);
execSync('npx changeset publish', { stdio: 'inherit' });
