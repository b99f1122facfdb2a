// Plots of the benchmarks: per scene, how many times as long as Nearfield other libraries take, from the recorded results.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the page on benchmarks and its plots into a folder. */
export function writeBenchmarks(folder) {
  const out = join(folder, 'benchmarks');
  mkdirSync(out, { recursive: true });
  const pages = readdirSync('bench/results').filter(name => name.endsWith('.md'));
  const parts = [
    '# Benchmarks',
    '`npx nearfield bench --peers` measures every row in one run, all engines in turns. [How it is measured](../../../bench/README.md).',
  ];
  const kept = JSON.parse(readFileSync('bench/releases.json', 'utf8'));
  const names = [...new Set(Object.values(kept).flatMap(Object.keys))];
  const perRelease = names.map(name => ({
    name,
    engines: Object.entries(kept)
      .filter(([, ratios]) => ratios[name] !== undefined)
      .map(([version, ratios]) => ({ engine: `Nearfield ${version}`, ratio: ratios[name] })),
  }));
  writeFileSync(join(out, 'releases.svg'), plot(perRelease));
  parts.push(
    '## Release by release',
    'How many times as fast as three-mesh-bvh each release was, in one run on the same machine.',
    '![Ratios to three-mesh-bvh, release by release](./releases.svg)',
  );
  for (const page of pages) {
    const text = readFileSync(join('bench/results', page), 'utf8');
    const machine = text.split('\n').find(line => /\d{4}-\d{2}-\d{2}\.$/.test(line)) ?? page;
    parts.push(`## ${machine.replace(/\.$/, '')}`, `[All rows](../../../bench/results/${page})`);
    for (const { scene, cases } of scenesOf(text)) {
      const shown = cases.filter(({ engines }) => engines.length > 1);
      if (shown.length === 0) continue;
      const name = `${page.replace(/\.md$/, '')}-${scene.replace(/\W+/g, '-')}.svg`;
      writeFileSync(join(out, name), plot(shown));
      parts.push(`### ${scene}`, `![How many times as long as Nearfield: ${scene}](./${name})`);
    }
  }
  writeFileSync(join(out, 'index.md'), `${parts.join('\n\n')}\n`);
}

/** Scenes with their cases, and per case the engines whose time is known as a multiple of Nearfield's. */
export function scenesOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const rows = section.split('\n').filter(line => line.startsWith('| '));
      const columns = cells(rows[0] ?? '');
      const at = name => columns.indexOf(name);
      const cases = new Map();
      for (const row of rows.slice(2)) {
        const cell = cells(row);
        const ratio = Number.parseFloat(cell[at('times Nearfield')]);
        if (!(ratio > 0)) continue;
        const name = cell[at('case')];
        const engines = cases.get(name) ?? [];
        engines.push({ engine: cell[at('engine')], ratio, time: cell[at('warm, ms')] });
        cases.set(name, engines);
      }
      return {
        scene: section.split('\n')[0].trim(),
        cases: Array.from(cases, ([name, engines]) => ({ name, engines })),
      };
    });
}

const cells = row =>
  row
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim());

/** Bars on a logarithmic scale that begins at 1: Nearfield's own time. Colours suit light and dark pages. */
function plot(cases) {
  const bars = cases.flatMap(({ name, engines }) => [
    { name },
    ...engines.map(engine => ({ ...engine, isOurs: engine.engine.startsWith('Nearfield') })),
  ]);
  const most = Math.max(10, ...bars.map(({ ratio }) => ratio ?? 1));
  const least = Math.min(1, ...bars.map(({ ratio }) => ratio ?? 1));
  const [left, right, top, step] = [230, 640, 30, 18];
  const x = ratio => left + ((right - left) * Math.log(ratio / least)) / Math.log(most / least);
  const height = top + bars.length * step + 10;
  const powers = [1, 10, 100, 1000, 10000].filter(power => power <= most);
  const lines = powers.map(
    power =>
      `<line x1="${x(power).toFixed(1)}" x2="${x(power).toFixed(1)}" y1="${top - 6}" y2="${height - 8}" stroke="#8888" /><text x="${x(power).toFixed(1)}" y="${top - 12}" text-anchor="middle">${power}×</text>`,
  );
  const rows = bars.map(({ name, engine, ratio, time, isOurs }, i) => {
    const y = top + i * step;
    if (name !== undefined) return `<text x="4" y="${y + 12}" font-weight="600">${escaped(name)}</text>`;
    const [from, to] = [x(Math.min(1, ratio)), x(Math.max(1, ratio))];
    return `<text x="${left - 6}" y="${y + 12}" text-anchor="end">${escaped(engine)}</text><rect x="${from.toFixed(1)}" y="${y + 2}" width="${Math.max(2, to - from).toFixed(1)}" height="12" fill="${isOurs ? '#2f7d5b' : '#b0763a'}" /><text x="${(to + 5).toFixed(1)}" y="${y + 12}">${ratio}×${time === undefined ? '' : ` (${escaped(time)} ms)`}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ${height}" font-family="system-ui, sans-serif" font-size="11" fill="#777">${lines.join('')}${rows.join('')}</svg>\n`;
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
