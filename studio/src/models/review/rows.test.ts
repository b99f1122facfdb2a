import { noStatuses } from '@nearfield/clashes';
import { shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { columnsOf } from '../../engine/review/columns.ts';
import { type DocumentBody, emptyDocument } from '../../state/document.ts';
import { parseReview, reviewOf } from '../../state/review-data.ts';
import { treeItems } from '../bodies/structure.ts';
import { orderBy } from '../order-by.ts';
import { PairTable } from '../table.ts';
import { lengthOf } from './filters.ts';
import { everything, filteredRows } from './rows.ts';

const box = (x: number) => ({ mesh: String(x), pose: '', box: [x, 0, 0, x + 1, 1, 1] });
const names = ['pipe', 'beam', 'slab', 'Pipe 2'].map((name, id) => ({ id, name }));

/** Four bodies; three pairs. */
function table(): PairTable {
  const pairs = [
    { a: 0, b: 1, relation: 'crossing', triangleCount: 5, depth: { lower: 1, upper: 2 }, verdict: 'clash' },
    { a: 0, b: 2, relation: 'separate', triangleCount: 0, distance: 0.5, verdict: 'too-close' },
    { a: 1, b: 3, relation: 'crossing', triangleCount: 9, depth: { lower: 3, upper: 4 }, verdict: 'clash' },
  ] as const;
  const deep = new Map(
    pairs.flatMap(pair =>
      pair.relation === 'crossing'
        ? [[pair, { pair, tolerance: 0, isUnasked: true, forgiven: 'within-rounding' }] as const]
        : [],
    ),
  );
  const columns = columnsOf(
    pairs as never,
    Uint32Array.of(0, 1, 2, 3),
    ['0000000000a1', '0000000000b2', '0000000000c3'],
    [0, 0.5, 3, 0.25].map(box) as never,
    deep as never,
  );
  return new PairTable({ serial: 1, columns });
}

test('the list is filtered by words, relation, verdict and parts, and sorted', () => {
  const rows = (filter: Partial<typeof everything>) => [
    ...filteredRows(table(), names, { ...everything, ...filter }),
  ];
  expect(rows({})).toEqual([2, 0, 1]);
  expect(rows({ sort: 'distance' })).toEqual([1, 0, 2]);
  expect(rows({ sort: 'name' })).toEqual([2, 0, 1]);
  expect(rows({ search: 'pipe slab' })).toEqual([1]);
  expect(rows({ search: 'PIPE' })).toEqual([2, 0, 1]);
  expect(rows({ search: '0000000000c' })).toEqual([2]);
  expect(rows({ relation: 'separate' })).toEqual([1]);
  expect(rows({ verdict: 'clash' })).toEqual([2, 0]);
  expect(rows({ parts: new Set([3]) })).toEqual([2]);
  expect(rows({ status: 'accepted' })).toEqual([]);
  expect([...filteredRows(table(), names.slice(0, 2), everything)]).toEqual([0]);
});

test('an order keeps what is equal as it was', () => {
  const keys = [3, 1, 3, 1, 2];
  expect([...orderBy(Uint32Array.of(0, 1, 2, 3, 4), row => keys[row])]).toEqual([1, 3, 4, 0, 2]);
  // Against a stable sort by comparisons, over signs and magnitudes (seed 11).
  const random = shapes.createRandom(11);
  const many = Array.from({ length: 5000 }, () =>
    random.integer(4) === 0
      ? [0, -0, 1, -1][random.integer(4)]
      : random.between(-1, 1) * 10 ** random.integer(30),
  );
  const rows = Uint32Array.from(many, (_, i) => i);
  const byComparison = [...rows].sort((p, q) => many[p] - many[q] || p - q);
  expect([...orderBy(rows, row => many[row])]).toEqual(byComparison);
});

test('depths that are measured well are not measured again', () => {
  const made = table();
  expect(made.unmeasured(5)).toEqual([]);
  expect(made.contenders(1)).toEqual([2]);
  expect(made.find(3, 1)).toBe(2);
  expect(made.row(1)).toMatchObject({ distance: 0.5, clash: '0000000000b2', verdict: 'too-close' });
});

test('lengths have units if the files do', () => {
  expect(lengthOf(' 5mm ', 'Clearance', 1)).toBe(0.005);
  expect(lengthOf('5', 'Clearance', undefined)).toBe(5);
  expect(lengthOf('file', 'Tolerance', 1)).toBe('file');
  expect(lengthOf('', 'Tolerance', 1)).toBe(undefined);
  expect(() => lengthOf('5mm', 'Clearance', undefined)).toThrow(/do not say their unit/);
  expect(() => lengthOf('-1', 'Clearance', 1)).toThrow();
});

const body = (id: number, file: string | undefined, path?: readonly string[]): DocumentBody => ({
  ...{ id, name: `part ${id}`, file, colour: '#112233', visible: true, pose: Float64Array.of(...identity) },
  origin: {
    ...{ hash: file && 'h', index: id, name: `part ${id}`, path, type: undefined, unit: undefined },
    pose: Float64Array.of(...identity),
  },
});
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

test('the tree has files, groups of several and bodies; chains are one line; closed groups hide', () => {
  const bodies = [
    body(0, 'a.ifc', ['house', 'site', 'floor 1', 'part 0']),
    body(1, 'a.ifc', ['house', 'site', 'floor 2', 'part 1']),
    body(2, 'b.stl'),
  ];
  const lines = (closed: readonly string[]) =>
    treeItems({ bodies, files: [] }, new Set(closed)).map(item =>
      item.kind === 'group'
        ? `${item.level} ${item.label} (${item.ids.length})`
        : `${item.level} ${item.body.name}`,
    );
  expect(lines([])).toEqual([
    '1 a.ifc / house / site (2)',
    '2 floor 1 (1)',
    '3 part 0',
    '2 floor 2 (1)',
    '3 part 1',
    '1 part 2',
  ]);
  expect(lines(['/a.ifc/house/site/floor 1'])).toHaveLength(5);
  expect(lines(['/a.ifc/house/site'])).toEqual(['1 a.ifc / house / site (2)', '1 part 2']);
});

test('two assemblies of one name stay apart in the tree if the file tells them apart', () => {
  const inAssembly = (id: number, node: number) => {
    const plain = body(id, 'a.stp', ['all', 'bracket', 'bolt']);
    return { ...plain, origin: { ...plain.origin, pathNodes: [0, node, 10 + id] } };
  };
  const bodies = [inAssembly(0, 1), inAssembly(1, 1), inAssembly(2, 4)];
  const items = treeItems({ bodies, files: [] }, new Set());
  const groups = items.filter(item => item.kind === 'group');
  expect(groups.map(({ label, ids }) => [label, ids])).toEqual([
    ['a.stp / all', [0, 1, 2]],
    ['bracket', [0, 1]],
    ['bracket', [2]],
  ]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(3);
});

test('the links of a robot carry one another, but none is a part of another', () => {
  const bodies = [
    body(0, 'a.urdf', ['base']),
    body(1, 'a.urdf', ['base', 'arm']),
    body(2, 'a.urdf', ['base', 'arm', 'hand']),
  ];
  const robot = { name: 'a', joints: [], bodies: [] };
  const levels = (files: readonly { name: string; robot: typeof robot | undefined }[]) =>
    treeItems({ bodies, files }, new Set()).map(({ kind, level }) => `${kind} ${level}`);
  expect(levels([{ name: 'a.urdf', robot }])).toEqual(['group 1', 'body 2', 'body 2', 'body 2']);
  expect(levels([{ name: 'a.urdf', robot: undefined }])).toContain('group 2');
});

test('a review comes back as it was, and anything else is refused by name and place', () => {
  const document = {
    ...emptyDocument,
    bodies: [body(7, 'a.obj')],
    files: [{ name: 'a.obj', hash: 'h', unit: undefined, beside: [], robot: undefined }],
    statuses: { ...noStatuses('s'), clashes: new Map([['0123456789ab', { status: 'fixed' as const }]]) },
    ...{ tolerance: 'file' as const, clearance: 2, frame: 3, joints: { 'a.urdf': { elbow: 0.5 } } },
    motion: { name: 'm.json', hash: 'g', names: new Map([[7, 'was called']]), frames: [] },
  };
  const camera = { position: [1, 2, 3], target: [0, 0, 0], up: 'y' as const };
  const review = reviewOf(document, camera, undefined);
  expect(parseReview('r.json', JSON.stringify(review))).toEqual(JSON.parse(JSON.stringify(review)));
  for (const [change, message] of [
    [{ version: 2 }, /r\.json: \$\.version: expected 1/],
    [{ bodies: [{}] }, /\$\.bodies\[0\]: "colour" is missing/],
    [{ statuses: 'x' }, /the statuses: not valid JSON/],
    [{ camera: { up: 'x' } }, /\$\.camera\.up: expected one of y, z/],
    [{ chosen: [3] }, /\$\.chosen\[0\]/],
    [{ motion: { name: 'm.json', hash: 'g', frame: 0 } }, /\$\.motion: "names" is missing/],
    [{ joints: { 'a.urdf': { elbow: 'bent' } } }, /\$\.joints.*elbow: expected a finite number/],
  ] as const) {
    expect(() => parseReview('r.json', JSON.stringify({ ...review, ...change }))).toThrow(message);
  }
});
