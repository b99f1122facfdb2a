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
    'Below, per machine and scene: how many times as long as Nearfield on that machine each engine takes, with its time. A longer bar is slower. Cases that no other library answers are among all rows.',
  ];
  const kept = JSON.parse(readFileSync('bench/releases.json', 'utf8'));
  const names = [...new Set(Object.values(kept).flatMap(Object.keys))];
  const perRelease = names.map(name => ({
    name,
    engines: Object.entries(kept)
      .filter(([, ratios]) => ratios[name] !== undefined)
      .map(([version, ratios]) => ({ engine: `Nearfield ${version}`, ratio: ratios[name] })),
  }));
  const picture = (words, name, cases) => {
    for (const [theme, colour] of Object.entries(colours))
      writeFileSync(join(out, `${name}-${theme}.svg`), plot(cases, colour));
    return pictureOf(words, name);
  };
  parts.push(
    '## Release by release',
    'How many times as fast as three-mesh-bvh each release was, in one run on the same machine. A longer bar is faster.',
    picture('Ratios to three-mesh-bvh, release by release', 'releases', perRelease),
  );
  for (const page of pages) {
    const text = readFileSync(join('bench/results', page), 'utf8');
    const machine = text.split('\n').find(line => /\d{4}-\d{2}-\d{2}\.$/.test(line)) ?? page;
    parts.push(`## ${machine.replace(/\.$/, '')}`, `[All rows](../../../bench/results/${page})`);
    for (const { scene, cases } of scenesOf(text)) {
      const shown = cases.filter(({ engines }) => engines.some(({ engine }) => !isOurs(engine)));
      if (shown.length === 0) continue;
      const name = `${page.replace(/\.md$/, '')}-${scene.replace(/\W+/g, '-')}`;
      parts.push(`### ${scene}`, picture(`How many times as long as Nearfield: ${scene}`, name, shown));
    }
  }
  writeFileSync(join(out, 'index.md'), `${parts.join('\n\n')}\n`);
}

const isOurs = engine => engine.startsWith('Nearfield');

/** The colour of a plot's words, per theme of the page. */
const colours = { light: '#3c3c43', dark: '#dfdfd6' };

/** A plot for each theme, which may be wider than the screen. */
const pictureOf = (words, name) =>
  `<div class="plot">\n\n${Object.keys(colours)
    .map(theme => `![${words}](./${name}-${theme}.svg){.on-${theme}}`)
    .join('\n')}\n\n</div>`;

/** Scenes with their cases, and per case the engines whose time is known as a multiple of Nearfield's. */
export function scenesOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map(section => {
      // Other tables of a section have other columns.
      const tables = section
        .split(/\n(?!\|)/)
        .map(text => text.split('\n').filter(line => line.startsWith('| ')));
      const rows =
        tables.find(([head]) => head !== undefined && cells(head).includes('times Nearfield')) ?? [];
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

/** Bars on a logarithmic scale that begins at 1: Nearfield's own time. */
function plot(cases, colour) {
  const bars = cases.flatMap(({ name, engines }) => [
    { name },
    ...engines.map(engine => ({ ...engine, fill: isOurs(engine.engine) ? '#2f7d5b' : '#b0763a' })),
  ]);
  const most = Math.max(10, ...bars.map(({ ratio }) => ratio ?? 1));
  const least = Math.min(1, ...bars.map(({ ratio }) => ratio ?? 1));
  const [left, right, top, step] = [180, 560, 32, 20];
  const x = ratio => left + ((right - left) * Math.log(ratio / least)) / Math.log(most / least);
  const height = top + bars.length * step + 10;
  const powers = [1, 10, 100, 1000, 10000].filter(power => power <= most);
  const lines = powers.map(
    power =>
      `<line x1="${x(power).toFixed(1)}" x2="${x(power).toFixed(1)}" y1="${top - 6}" y2="${height - 8}" stroke="#8888" /><text x="${x(power).toFixed(1)}" y="${top - 12}" text-anchor="middle">${power}×</text>`,
  );
  const rows = bars.map(({ name, engine, ratio, time, fill }, i) => {
    const y = top + i * step;
    if (name !== undefined) return `<text x="4" y="${y + 14}" font-weight="600">${escaped(name)}</text>`;
    const [from, to] = [x(Math.min(1, ratio)), x(Math.max(1, ratio))];
    return `<text x="${left - 6}" y="${y + 14}" text-anchor="end">${escaped(engine)}</text><rect x="${from.toFixed(1)}" y="${y + 2}" width="${Math.max(2, to - from).toFixed(1)}" height="14" fill="${fill}" /><text x="${(to + 5).toFixed(1)}" y="${y + 14}">${ratio}×${time === undefined ? '' : ` (${escaped(time)} ms)`}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 ${height}" font-family="system-ui, sans-serif" font-size="13" fill="${colour}">${lines.join('')}${rows.join('')}</svg>\n`;
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
