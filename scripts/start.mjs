// `npm start`: sets everything up, then checks the sample assembly and writes its report.
import { spawnSync } from 'node:child_process';
import { setUp } from './setup.mjs';
import { checkUsage } from './usage.mjs';

checkUsage(`usage: npm start
Installs, builds, checks the sample gearbox and writes nearfield-report.html.`);
setUp();
const { buildAll } = await import('./build.mjs');
await buildAll({ types: false });
const arguments_ = ['packages/cli/dist/main.js', 'sample', '--report', 'nearfield-report.html'];
const { status } = spawnSync(process.execPath, arguments_, { stdio: 'inherit' });
// The sample has interferences on purpose: status 1 is what is expected of it.
process.exit(status === 1 ? 0 : (status ?? 2));
