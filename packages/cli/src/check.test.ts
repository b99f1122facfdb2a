import { linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from './testing.ts';

const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };
const onFace = [expect.any(Number), expect.any(Number)];
const apart = { 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(5, 0, 0) };

describe('check', () => {
  it('--clearance reports pairs strictly closer than it', async () => {
    const folder = testFolder(apart);
    const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--clearance'];
    const near = await runIn(folder, [...words, '4.5', '--json']);
    expect(near.status).toBe(1);
    expect(JSON.parse(near.out).pairs).toEqual([
      {
        ...{ a: 0, b: 1, relation: 'separate', triangleCount: 0, distance: 4 },
        ...{ pointA: [1, ...onFace], pointB: [5, ...onFace] },
        ...{ clash: expect.any(String), verdict: 'too-close' },
      },
    ]);
    const exactly = await runIn(folder, [...words, '4', '--json']);
    expect([exactly.status, JSON.parse(exactly.out).pairs]).toEqual([0, []]);
    const table = await runIn(folder, [...words, '4.5']);
    expect(table.out).toMatch(/relation\s+distance\s+triangle pairs/);
    expect(table.out).toMatch(/#0 a\s+#1 b\s+separate\s+4\s+0\n/);
    expect(table.out).toMatch(/1 pair: 1 too close\./);
    const reported = await runIn(folder, [...words, '4.5', '--report', 'x.html']);
    expect(reported.status).toBe(1);
    const page = readFileSync(join(folder, 'x.html'), 'utf8');
    expect(page).toContain('no pair meets; 1 pair is closer than 4.5.');
    expect(page.match(/<img /g)).toHaveLength(2);
    const excused = await runIn(folder, [...words, '4.5', '--ignore', 'separate']);
    expect(excused.status).toBe(0);
    const crossing = await runIn(testFolder(two), [...words, '4.5', '--json']);
    expect(JSON.parse(crossing.out).pairs).toMatchObject([
      { a: 0, b: 1, relation: 'crossing', triangleCount: expect.any(Number), point: expect.any(Array) },
    ]);
    expect(JSON.parse(crossing.out).pairs[0]).not.toHaveProperty('distance');
  });

  it('finds nothing: status 0', async () => {
    const { status, out, err } = await runIn(testFolder(apart), [
      'check',
      'a.obj',
      'b.obj',
      '--backend',
      'cpu',
    ]);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/No interference among 2 bodies/);
  });

  it('finds a crossing: status 1 and a table', async () => {
    const { status, out, err } = await runIn(testFolder(two), [
      'check',
      'a.obj',
      'b.obj',
      '--backend',
      'cpu',
    ]);
    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(/#0 a\s+#1 b\s+crossing\s+\d+/);
    expect(out).toMatch(/1 pair: 1 crossing\./);
  });

  it('gives the documented JSON', async () => {
    const folder = testFolder(two);
    const { status, out } = await runIn(folder, ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu']);
    expect(status).toBe(1);
    const answer = JSON.parse(out);
    expect(Object.keys(answer)).toEqual([
      ...['version', 'backend', 'method', 'files', 'bodies', 'question', 'matrix', 'pairs', 'timing'],
    ]);
    expect(answer.version).toBe('0.1.0');
    expect(answer.backend).toEqual({ kind: 'cpu', name: expect.any(String) });
    expect(answer.method).toBe('hierarchy');
    const said = { rounding: expect.any(Number), fingerprint: expect.any(Object) };
    expect(answer.bodies).toEqual([
      { index: 0, name: 'a', file: 'a.obj', vertices: 8, triangles: 12, closed: true, solid: true, ...said },
      { index: 1, name: 'b', file: 'b.obj', vertices: 8, triangles: 12, closed: true, solid: true, ...said },
    ]);
    expect(answer.pairs).toEqual([
      {
        ...{ a: 0, b: 1, relation: 'crossing', triangleCount: expect.any(Number), point: expect.any(Array) },
        ...{
          depth: { lower: expect.any(Number), upper: expect.any(Number) },
          translation: expect.any(Array),
        },
        ...{ clash: expect.stringMatching(/^[0-9a-f]{12}$/), verdict: 'clash' },
      },
    ]);
    // The cubes overlap in a cube of side 1.
    const { depth, translation } = answer.pairs[0];
    expect(depth.lower).toBeLessThanOrEqual(1);
    expect(depth.upper).toBeGreaterThanOrEqual(1);
    expect(depth.upper / depth.lower).toBeLessThanOrEqual(1.1);
    expect(Math.hypot(...translation)).toBeCloseTo(depth.upper, 12);
    // Both surfaces pass through the point: it lies on a face of one body and within the other.
    const { point } = answer.pairs[0];
    expect(point.every((x: number) => x >= 1 && x <= 2)).toBe(true);
    expect(point.includes(1) && point.includes(2)).toBe(true);
    expect(Object.keys(answer.timing)).toEqual(['read', 'build', 'query', 'judge']);
    for (const time of Object.values(answer.timing)) expect(time).toBeGreaterThanOrEqual(0);

    const listed = JSON.parse(
      (await runIn(folder, ['check', 'a.obj', 'b.obj', '--json', '--triangles', '--backend', 'cpu'])).out,
    );
    const [pair] = listed.pairs;
    expect(pair.triangleCount).toBe(answer.pairs[0].triangleCount);
    expect(pair.triangles).toHaveLength(pair.triangleCount);
    for (const [inA, inB] of pair.triangles) expect(Math.max(inA, inB)).toBeLessThan(12);
    const sorted = [...pair.triangles].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    expect(pair.triangles).toEqual(sorted);
  });

  it('gives every relation, as seen from the first body', async () => {
    const folder = testFolder({
      'parts.obj': [
        boxObj(0, 0, 0, 8, 'outer'),
        boxObj(2, 2, 2, 1, 'inner'),
        boxObj(8, 0, 0, 4, 'neighbour'),
        boxObj(2, 2, 2, 1, 'copy'),
        boxObj(50, 0, 0, 1, 'far'),
      ].join(''),
    });
    const { status, out } = await runIn(folder, ['check', 'parts.obj', '--json', '--backend', 'cpu']);
    expect(status).toBe(1);
    const { pairs } = JSON.parse(out);
    expect(
      pairs.map((pair: { a: number; b: number; relation: string }) => [pair.a, pair.b, pair.relation]),
    ).toEqual([
      [0, 1, 'contains'],
      [0, 2, 'touching'],
      [0, 3, 'contains'],
      [1, 3, 'coincident'],
    ]);
  });

  it('gives a point of the inner body if one lies within the other', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 9), 'b.obj': boxObj(3, 3, 3) });
    const { out } = await runIn(folder, ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu']);
    const [{ relation, point }] = JSON.parse(out).pairs;
    expect(relation).toBe('contains');
    expect(point.every((x: number) => x > 3 && x < 4)).toBe(true);
  });

  it('names the bodies that have no inside', async () => {
    const box = boxObj(0, 0, 0, 9);
    const files = {
      'wall.obj': box.slice(0, box.lastIndexOf('f ')),
      'turned.obj': box.replace('f -8 -6 -5 -7', 'f -7 -5 -6 -8'),
      'pipe.obj': boxObj(3, 3, 3),
    };
    const folder = testFolder(files);
    const words = ['check', '--backend', 'cpu', 'pipe.obj'];
    const open = await runIn(folder, [...words, 'wall.obj', '--json']);
    expect(open.err).toBe(
      'nearfield: 1 of 2 bodies is not a solid: a part wholly inside or wholly around it is not found (surfaces that meet are); to be sure, export it closed and with all faces outwards: wall (open)\n',
    );
    expect(JSON.parse(open.out).bodies.map((body: { solid: boolean }) => body.solid)).toEqual([true, false]);
    const both = await runIn(folder, [...words, 'wall.obj', 'turned.obj', '--report', 'x.html']);
    expect(both.err).toContain(
      'export them closed and with all faces outwards: wall (open), turned (not consistently oriented)\n',
    );
    const page = readFileSync(join(folder, 'x.html'), 'utf8');
    expect(page).toContain('2 of 3 bodies are not solids');
    expect(page).toContain('<td><b>not consistently oriented</b></td>');
  });

  it('sorts the table by importance, and counts what remains if contact is forgiven', async () => {
    const parts = [
      boxObj(0, 0, 0, 2, 'base'),
      boxObj(2, 0, 0, 2, 'neighbour'),
      boxObj(1, 1, 1, 2, 'peg'),
      boxObj(0.25, 0.25, 0.25, 0.5, 'core'),
    ];
    const folder = testFolder({ 'parts.obj': parts.join('') });
    const { out } = await runIn(folder, ['check', 'parts.obj', '--backend', 'cpu']);
    expect([...out.matchAll(/^#.*(crossing|contains|touching)/gm)].map(match => match[1])).toEqual([
      ...['crossing', 'crossing', 'contains', 'touching'],
    ]);
    expect(out).toContain('4 pairs: 2 crossing, 1 contains, 1 touching.');
    expect(out).toMatch(/\n3 to fix\n1 touches \(--ignore touching forgives it\)\n$/);
    const ignoring = ['check', 'parts.obj', '--backend', 'cpu', '--ignore', 'touching'];
    const forgiven = (await runIn(folder, ignoring)).out;
    expect(forgiven).toMatch(/\n3 to fix\n1 ignored\n$/);
    expect(forgiven).not.toMatch(/^#.*touching/m);
  });

  it('names the file if bodies of several files share a name', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2, 'part'), 'b.obj': boxObj(1, 1, 1, 2, 'part') });
    const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--report', 'x.html'];
    expect((await runIn(folder, words)).out).toMatch(/#0 part \(a\.obj\)\s+#1 part \(b\.obj\)\s+crossing/);
    expect(readFileSync(join(folder, 'x.html'), 'utf8')).toContain('>part (a.obj)</a></td>');
  });

  it('--ignore affects the status, not the JSON', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(1, 0, 0) });
    const words = ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu'];
    expect((await runIn(folder, words)).status).toBe(1);
    const ignored = await runIn(folder, [...words, '--ignore', 'touching']);
    expect(ignored.status).toBe(0);
    expect(JSON.parse(ignored.out).pairs[0].relation).toBe('touching');
    expect((await runIn(folder, [...words, '--ignore', 'crossing', '--ignore', 'touching'])).status).toBe(0);
    expect((await runIn(folder, [...words, '--ignore', 'crossing,touching'])).status).toBe(0);
    expect((await runIn(folder, [...words, '--ignore', 'crossing'])).status).toBe(1);
  });

  it('merges a file with --one-body', async () => {
    const folder = testFolder({
      'parts.obj': boxObj(0, 0, 0, 2, 'one') + boxObj(1, 1, 1, 2, 'two'),
      'c.obj': boxObj(50, 0, 0),
    });
    const { status, out } = await runIn(folder, [
      'check',
      'parts.obj',
      'c.obj',
      '--one-body',
      '--json',
      '--backend',
      'cpu',
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(out).bodies.map((body: { name: string }) => body.name)).toEqual(['parts', 'c']);
  });

  it('takes a file named twice as two bodies', async () => {
    const { out } = await runIn(testFolder(two), ['check', 'a.obj', 'a.obj', '--json', '--backend', 'cpu']);
    expect(JSON.parse(out).pairs[0].relation).toBe('coincident');
  });

  it('shows progress on a terminal, separate from the answer', async () => {
    const words = ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu'];
    const { out, err } = await runIn(testFolder(two), words, { interactive: true });
    expect(JSON.parse(out).pairs).toHaveLength(1);
    for (const stage of ['reading', 'opening', 'checking']) expect(err).toContain(stage);
    expect(err.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('writes --out and --report', async () => {
    const folder = testFolder(two);
    const words = [
      'check',
      'a.obj',
      'b.obj',
      '--json',
      '--out',
      'x.json',
      '--report',
      'x.html',
      '--backend',
      'cpu',
    ];
    // With pictures at full quality.
    const { status, out, err } = await runIn(folder, words, { samples: 2 });
    expect([status, out]).toEqual([1, '']);
    expect(err).toBe('nearfield: the answer is in x.json\nnearfield: the report is in x.html\n');
    expect(JSON.parse(readFileSync(join(folder, 'x.json'), 'utf8')).pairs).toHaveLength(1);
    expect(readFileSync(join(folder, 'x.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });
});

describe('poses', () => {
  const shifted = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];

  it('sets the poses of one frame, by name or index', async () => {
    for (const name of ['b', '#1']) {
      const folder = testFolder({ ...apart, 'poses.json': JSON.stringify({ [name]: shifted(-4.5) }) });
      const words = ['check', 'a.obj', 'b.obj', '--poses', 'poses.json', '--json', '--backend', 'cpu'];
      const { status, out } = await runIn(folder, words);
      expect(status).toBe(1);
      expect(JSON.parse(out).pairs).toHaveLength(1);
    }
  });

  it('answers a motion per frame; bodies without a pose return to their place in the file', async () => {
    const motion = [{ b: shifted(-4.5) }, {}, { '#0': shifted(5), b: shifted(0) }];
    const folder = testFolder({ ...apart, 'motion.json': JSON.stringify(motion) });
    const words = ['check', 'a.obj', 'b.obj', '--poses', 'motion.json', '--backend', 'cpu'];
    const { status, out } = await runIn(folder, [...words, '--json']);
    expect(status).toBe(1);
    const answer = JSON.parse(out);
    expect(Object.keys(answer)).toEqual([
      ...['version', 'backend', 'method', 'files', 'bodies', 'question', 'matrix', 'frames', 'timing'],
    ]);
    expect(
      answer.frames.map((frame: { frame: number; pairs: { relation: string }[] }) => [
        frame.frame,
        ...frame.pairs.map(pair => pair.relation),
      ]),
    ).toEqual([[0, 'crossing'], [1], [2, 'coincident']]);
    expect((await runIn(folder, words)).out).toMatch(
      /1 pair meets in 2 of 3 frames: crossing in 1, coincident in 1\./,
    );
  });

  it('gives each frame of a motion the same answer as that frame alone', async () => {
    const parts = [
      boxObj(0, 0, 0, 2, 'a'),
      boxObj(1, 1, 1, 2, 'b'),
      boxObj(3, 1, 1, 2, 'c'),
      boxObj(9, 0, 0, 2, 'd'),
    ];
    const motion = [
      {},
      { d: shifted(-7) },
      { d: shifted(-7), a: shifted(0.5) },
      { a: shifted(0.5) },
      { c: shifted(-1) },
    ];
    const files = Object.fromEntries(motion.map((frame, i) => [`${i}.json`, JSON.stringify(frame)]));
    const folder = testFolder({ ...files, 'parts.obj': parts.join(''), 'all.json': JSON.stringify(motion) });
    const words = [
      'check',
      'parts.obj',
      '--json',
      '--triangles',
      '--depths',
      'all',
      '--backend',
      'cpu',
      '--poses',
    ];
    const { frames } = JSON.parse((await runIn(folder, [...words, 'all.json'])).out);
    for (const i of motion.keys()) {
      const alone = JSON.parse((await runIn(folder, [...words, `${i}.json`])).out);
      expect(frames[i]).toEqual({ frame: i, pairs: alone.pairs });
    }
    expect(frames.map((frame: { pairs: unknown[] }) => frame.pairs.length)).toEqual([2, 5, 5, 2, 3]);
  });

  it('reports a motion: every frame with a finding, and each pair in its worst frame', async () => {
    const motion = [{}, { b: shifted(-4) }, { b: shifted(-4.5) }, { b: shifted(-4.25) }, {}];
    const folder = testFolder({ ...apart, 'motion.json': JSON.stringify(motion) });
    const words = ['check', 'a.obj', 'b.obj', '--poses', 'motion.json', '--backend', 'cpu'];
    expect((await runIn(folder, [...words, '--report', 'x.html'])).status).toBe(1);
    const page = readFileSync(join(folder, 'x.html'), 'utf8');
    expect(page).toContain('2 bodies with 24 triangles, 5 frames: 1 pair meets, in 3 frames.');
    expect(page).toContain('<td class="n">2</td><td>1–3</td>');
    expect((await runIn(folder, words)).out).toContain(
      '1 pair meets in 3 of 5 frames: crossing in 2, touching in 1.',
    );
    expect((await runIn(folder, [...words, '--clearance', '5'])).out).toContain(
      'touching in 1; 1 pair is too close in 2 of 5 frames.',
    );
    expect(page.match(/<img /g)).toHaveLength(2);
    // The table has one line per pair, as in its worst frame.
    const lines = (await runIn(folder, words)).out.split('\n').filter(line => line.includes('#0 a'));
    expect(lines.map(line => line.trim().split(/ {2,}/))).toEqual([
      ['#0 a', '#1 b', 'crossing', '1–3', '2', expect.any(String)],
    ]);
    // The report is the same if the triangles of all frames are kept or only those of the worst.
    await runIn(folder, [...words, '--triangles', '--report', 'y.html']);
    const untimed = (text: string) =>
      text.replace(/\d[\d.]* m?s\b|\d\d? \w+ \d{4}, [\d:]+ UTC|datetime="[^"]*"/g, '');
    expect(untimed(readFileSync(join(folder, 'y.html'), 'utf8')) === untimed(page)).toBe(true);
  });

  it.each([
    ['{"c": []}', /poses\.json: no body is called "c"; the bodies are "a", "b"/],
    ['{"a": [1]}', /"a" must have 16 numbers, column by column/],
    ['{"#7": []}', /there is no body #7; the bodies are #0 to #1/],
    [`{"a": ${JSON.stringify([...shifted(0).slice(1), '1'])}}`, /number 15 is/],
    [`{"a": ${JSON.stringify(shifted(0))}, "#0": ${JSON.stringify(shifted(0))}}`, /already has a pose/],
    [`[{}, {"a": ${JSON.stringify(shifted(0).fill(0, 0, 15))}}]`, /frame 1: a: the pose is singular/],
    ['[[]]', /frame 0: a frame must be an object/],
    ['7', /a frame must be an object/],
    ['{', /not valid JSON/],
  ])('refuses %s', async (text, message) => {
    const folder = testFolder({ ...apart, 'poses.json': text });
    const words = ['check', 'a.obj', 'b.obj', '--poses', 'poses.json', '--backend', 'cpu'];
    const { status, out, err } = await runIn(folder, words);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('refuses a name that several bodies share', async () => {
    const folder = testFolder({ ...apart, 'poses.json': `{"a": ${JSON.stringify(shifted(0))}}` });
    const { err } = await runIn(folder, [
      'check',
      'a.obj',
      'a.obj',
      '--poses',
      'poses.json',
      '--backend',
      'cpu',
    ]);
    expect(err).toMatch(/several bodies are called "a"/);
  });
});

describe('never overwrites an input', () => {
  it.each(['hard.html', './hard.html', 'soft.html', 'poses.json', 'buffer.txt'])('--out %s', async target => {
    const gltf = {
      asset: { version: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ byteLength: 36, uri: 'buffer.txt' }],
    };
    const folder = testFolder({
      ...two,
      'poses.json': '{}',
      'model.gltf': JSON.stringify(gltf),
      'buffer.txt': new Uint8Array(36),
    });
    linkSync(join(folder, 'a.obj'), join(folder, 'hard.html'));
    symlinkSync(join(folder, 'a.obj'), join(folder, 'soft.html'));
    for (const option of ['--out', '--report']) {
      const before = readFileSync(join(folder, target));
      const words = [
        'check',
        'a.obj',
        'model.gltf',
        '--units',
        'm',
        '--poses',
        'poses.json',
        option,
        target,
        '--backend',
        'cpu',
      ];
      const { status, out, err } = await runIn(folder, words);
      expect([status, out]).toEqual([2, '']);
      const isPage = option === '--out' || target.endsWith('.html');
      expect(err).toMatch(isPage ? /is an input and will not be overwritten\n$/ : /must end in \.html/);
      expect(readFileSync(join(folder, target))).toEqual(before);
    }
  });

  it('refuses an extension of no known format', async () => {
    const folder = testFolder(two);
    const before = readFileSync(join(folder, 'a.obj'));
    const { status, err } = await runIn(folder, [
      'check',
      'a.obj',
      'b.obj',
      '--out',
      'a.obj',
      '--backend',
      'cpu',
    ]);
    expect(status).toBe(2);
    expect(err).toMatch(/--out a\.obj: the extension decides the format; known are \.txt, \.json, \.csv/);
    expect(readFileSync(join(folder, 'a.obj'))).toEqual(before);
  });

  it('does not follow a link of a glTF out of its folder', async () => {
    const outside = testFolder({ 'secret.bin': new Uint8Array(36) });
    const folder = testFolder({
      'model.gltf': JSON.stringify({
        asset: { version: '2.0' },
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
        buffers: [{ byteLength: 36, uri: 'link.bin' }],
      }),
    });
    symlinkSync(join(outside, 'secret.bin'), join(folder, 'link.bin'));
    const { status, err } = await runIn(folder, ['check', 'model.gltf', '--backend', 'cpu']);
    expect(status).toBe(2);
    expect(err).toMatch(/is a link out of the folder/);
  });
});

describe('self', () => {
  it('finds nothing in one box, and self-intersections in two boxes of one file', async () => {
    const folder = testFolder({ ...two, 'both.obj': boxObj(0, 0, 0, 2, 'one') + boxObj(1, 1, 1, 2, 'two') });
    const clean = await runIn(folder, ['self', 'a.obj', '--json', '--backend', 'cpu']);
    expect([clean.status, JSON.parse(clean.out)]).toEqual([0, { triangles: [] }]);
    const crossing = await runIn(folder, ['self', 'both.obj', '--json', '--backend', 'cpu']);
    expect(crossing.status).toBe(1);
    const { triangles } = JSON.parse(crossing.out);
    expect(triangles.length).toBeGreaterThan(0);
    for (const [i, j] of triangles) expect(i).toBeLessThan(j);
    const table = await runIn(folder, ['self', 'both.obj', '--backend', 'cpu']);
    expect(table.out).toMatch(/pairs of the 24 triangles of both intersect/);
    expect((await runIn(folder, ['self', 'a.obj', '--backend', 'cpu'])).out).toMatch(/No self-intersection/);
  });
});

it('checks the sample', async () => {
  const { status, out } = await runIn(testFolder(), ['sample', '--backend', 'cpu']);
  expect(status).toBe(1);
  expect(out).toMatch(/lay pinion\s+#\d+ output gear\s+crossing/);
});
