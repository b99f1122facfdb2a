// Names, paths, reasons and comments come from files of strangers. None of them may become part of the page.

import { expect, it } from 'vitest';
import type { AssemblyPair } from '../assembly/types.ts';
import { writeReport } from './report.ts';
import { cube, inputOf, pairOf } from './test-bodies.ts';
import type { ReportInput } from './types.ts';

const attacks = [
  '<script>alert(1)</script>',
  '</script><script>alert(2)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(3)>',
  "' onmouseover='alert(4)",
  '{"part":0}\' data-view=\'7',
  '</title></style></textarea></noscript><svg onload=alert(5)>',
  'javascript:alert(6)',
  '\u202egnp.exe\u2066\u200b\u0000\u001b[2J\u2028',
  '&lt;b&gt;&amp;',
  '$'.concat('{alert(7)}`'),
  ']]>\\u003cscript>',
];

/** Every text of the input is each of the attacks in turn. */
function hostile(attack: string): ReportInput {
  const body = (x: number) => ({
    ...{ ...cube(attack, [x, 0, 0], 1), file: `${attack}/${attack}`, path: [attack, attack, String(x)] },
    ...{ id: attack, type: attack },
  });
  const said: Omit<Partial<AssemblyPair>, 'triangles'> = {
    ...{ verdict: 'accepted', reason: attack, clash: attack, test: 0, severity: 'major', change: 'new' },
    status: { status: 'accepted', comment: attack, by: attack, date: attack },
  };
  const past = { name: attack, file: attack };
  const was = { a: past, b: past, relation: 'crossing' as const };
  const gone = { clash: attack, outcome: 'resolved' as const, reason: attack, was };
  const counts = {
    new: 1,
    same: 0,
    worse: 0,
    better: 0,
    moved: 0,
    resolved: 1,
    removed: 0,
    unchecked: 0,
    forgiven: 0,
  };
  return {
    ...inputOf(
      [body(0), body(0.5), body(0.75)],
      [
        { ...pairOf(0, 1, 'crossing'), ...said, verdict: 'clash' },
        { ...pairOf(1, 2, 'crossing'), ...said, clash: `${attack}2` },
      ],
    ),
    ...{ title: attack, date: attack, unitName: attack, version: attack, method: attack },
    backend: { kind: 'cpu', name: attack },
    files: [{ name: attack, hash: attack }],
    tests: [{ name: attack, severity: 'major' }],
    sets: [{ name: attack, bodies: 3 }],
    matrix: {
      sets: [attack, `${attack}2`],
      cells: [{ a: 0, b: 1, checked: true, counts: { clash: 1, accepted: 1 } }],
      setsOf: [[0], [1], [0]],
    },
    groups: [{ id: attack, title: attack, members: [attack, `${attack}2`] }],
    history: { baseline: attack, counts, gone: [gone] },
  };
}

const plain = await shapeOf(hostile('harmless'));

it.each(attacks)('%j stays text', async attack => {
  expect(await shapeOf(hostile(attack))).toEqual(plain);
});

/** The tags of the page with the names of their attributes, in order: what a text that got out would change. */
async function shapeOf(input: ReportInput): Promise<string[]> {
  const page = await writeReport(input, () => 'data:image/png;base64,', { samples: 1 });
  // Nobody sees what would reorder or hide letters.
  expect(page).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/u);
  const withoutScripts = page.replace(
    /(<script[^>]*>)([\s\S]*?)<\/script>/g,
    (_, tag: string, content: string) => {
      expect(content).not.toMatch(/<!--|<script/i);
      if (tag.includes('json')) JSON.parse(content);
      return `${tag}</script>`;
    },
  );
  const tags = withoutScripts.matchAll(/<(\/?[a-z0-9]+)((?:\s+[\w-]+(?:=(?:"[^"]*"|'[^']*'))?)*)\s*>|</gi);
  return Array.from(tags, ([whole, tag, attributes]) => {
    if (tag === undefined) return `stray ${whole}`;
    const names = attributes.matchAll(/\s([\w-]+)(?==|\s|$)(?:=(?:"[^"]*"|'[^']*'))?/g);
    return [tag, ...Array.from(names, ([, name]) => name)].join(' ');
  });
}
