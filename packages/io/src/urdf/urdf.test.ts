import { applyPose, NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { type ReadOptions, readFile } from '../read-file.ts';
import { randomBelow } from '../testing/random.ts';
import { encode, objText, refusal, stlBinary, tetrahedronPositions } from '../testing/samples.ts';
import { pathsOf } from './mesh-files.ts';
import { jointWarnings, posesOfJoints } from './robot.ts';

const link = (name: string, shape = '<box size="1 2 3"/>', origin = '') =>
  `<link name="${name}"><collision>${origin}<geometry>${shape}</geometry></collision></link>\n`;
const joint = (name: string, type: string, parent: string, child: string, rest = '') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>\n`;
const robot = (...parts: string[]) =>
  encode(`<?xml version="1.0"?>\n<robot name="r">\n${parts.join('')}</robot>\n`);
const read = (bytes: Uint8Array, options: ReadOptions = {}) => readFile('r.urdf', bytes, options);

/** The place of a point of a body. */
function placed(pose: Float64Array, point: readonly number[]): number[] {
  const out = new Float64Array(3);
  applyPose(pose, point[0], point[1], point[2], out, 0);
  return [...out];
}

/** v turned about a unit axis by a quaternion: another way than the reader's matrices. */
function turned([x, y, z]: readonly number[], axis: readonly number[], angle: number): number[] {
  const [a, b, c] = axis.map(value => value * Math.sin(angle / 2));
  const w = Math.cos(angle / 2);
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

describe('kinematics', () => {
  it('turns, slides and follows as quaternions do, over random chains', async () => {
    const seed = Number(process.env.NEARFIELD_SEED ?? 7);
    const next = randomBelow(seed);
    const real = (size: number) => size * (next(2 ** 30) / 2 ** 29 - 1);
    for (let round = 0; round < 30; round++) {
      const steps = Array.from({ length: 1 + next(6) }, (_, i) => ({
        type: ['revolute', 'continuous', 'prismatic', 'fixed'][next(4)],
        xyz: [real(2), real(2), real(2)],
        rpy: [real(3), real(3), real(3)],
        axis: [real(1), real(1), real(1)],
        value: real(3),
        name: `j${i}`,
      }));
      const bytes = robot(
        link('l0'),
        ...steps.map(({ type, xyz, rpy, axis, name }, i) => {
          const origin = `<origin xyz="${xyz.join(' ')}" rpy="${rpy.join('  ')}"/>`;
          return (
            link(`l${i + 1}`) +
            joint(name, type, `l${i}`, `l${i + 1}`, `${origin}<axis xyz="${axis.join(' ')}"/>`)
          );
        }),
      );
      const joints = Object.fromEntries(
        steps.filter(({ type }) => type !== 'fixed').map(({ name, value }) => [name, value]),
      );
      const { bodies, robot: made } = await read(bytes, { joints });
      expect(posesOfJoints(made!, joints)).toEqual(bodies.map(({ pose }) => pose));
      // A point of the last link, taken up the chain.
      const point = [real(1), real(1), real(1)];
      let at = point;
      for (const { type, xyz, rpy, axis, value } of [...steps].reverse()) {
        const unit = axis.map(component => component / Math.hypot(...axis));
        if (type === 'prismatic') at = at.map((component, k) => component + value * unit[k]);
        else if (type !== 'fixed') at = turned(at, unit, value);
        at = turned(at, [1, 0, 0], rpy[0]);
        at = turned(at, [0, 1, 0], rpy[1]);
        at = turned(at, [0, 0, 1], rpy[2]);
        at = at.map((component, k) => component + xyz[k]);
      }
      const found = placed(bodies.at(-1)!.pose!, point);
      for (let k = 0; k < 3; k++) expect(found[k], `seed ${seed}, round ${round}`).toBeCloseTo(at[k], 10);
    }
  });

  const fingers = robot(
    link('hand'),
    link('left'),
    link('right'),
    link('tip'),
    joint('grip', 'prismatic', 'hand', 'left', '<axis xyz="0 2 0"/><limit lower="0" upper="0.04"/>'),
    joint(
      'other',
      'prismatic',
      'hand',
      'right',
      '<axis xyz="0 1 0"/><mimic joint="grip" multiplier="-1" offset="0.5"/>',
    ),
    joint('end', 'prismatic', 'right', 'tip', '<axis xyz="0 1 0"/><mimic joint="other" multiplier="2"/>'),
  );

  it('lets a joint follow another, and that one another', async () => {
    const { robot: made } = await read(fingers);
    const y = posesOfJoints(made!, { grip: 0.03 }).map(pose => pose[13]);
    expect(y[1]).toBeCloseTo(0.03, 15);
    expect(y[2]).toBeCloseTo(0.47, 15);
    expect(y[3]).toBeCloseTo(0.47 + 0.94, 15);
  });

  it('warns of limits, and refuses joints that cannot be set', async () => {
    const { robot: made, warnings } = await read(fingers, { joints: { grip: 0.05 } });
    const text = 'the joint "grip" stands at 0.05, outside of its limits 0 to 0.04';
    expect(warnings).toEqual([`r.urdf: ${text}`]);
    expect(jointWarnings(made!, { grip: 0.05 })).toEqual([text]);
    expect(jointWarnings(made!, {})).toEqual([]);
    for (const [joints, message] of [
      [{ knee: 1 }, '"r" has no joint "knee"; its joints are "grip"'],
      [{ other: 1 }, 'the joint "other" follows "grip": set that one'],
      [{ grip: Number.NaN }, 'the value of the joint "grip" must be a finite number, not NaN'],
      [{ grip: '1' }, 'the value of the joint "grip" must be a finite number, not "1"'],
      [[1], 'joints must be an object from joint names to numbers, not Array'],
    ] as const) {
      expect(() => posesOfJoints(made!, joints as never)).toThrow(`posesOfJoints: ${message}`);
      const failure = await read(fingers, { joints: joints as never }).catch(error => error);
      expect(failure).toBeInstanceOf(NearfieldError);
      expect(failure.code).toBe('bad-option');
    }
    expect(() => posesOfJoints({} as never, {})).toThrow(/must be the robot that readFile gives for a URDF/);
  });

  it('leaves planar and floating joints at zero, with a warning', async () => {
    const bytes = robot(link('a'), link('b'), joint('free', 'floating', 'a', 'b', '<origin xyz="1 0 0"/>'));
    const { warnings, bodies, robot: made } = await read(bytes);
    expect(warnings).toEqual(['r.urdf: the floating joint "free" stays at zero']);
    expect(bodies[1].pose![12]).toBe(1);
    expect(() => posesOfJoints(made!, { free: 1 })).toThrow('the joint "free" is floating: it has no value');
  });
});

describe('bodies', () => {
  it('are links with a shape, each with the way down to it', async () => {
    const bytes = robot(
      '<link name="world"/>',
      link('base'),
      '<link name="frame"/>',
      link('arm'),
      joint('j0', 'fixed', 'world', 'base'),
      joint('j1', 'fixed', 'base', 'frame'),
      joint('j2', 'revolute', 'frame', 'arm'),
    );
    const { bodies, allowed, unit } = await read(bytes);
    expect(bodies.map(({ path }) => path)).toEqual([
      ['world', 'base'],
      ['world', 'base', 'frame', 'arm'],
    ]);
    expect(allowed).toEqual([{ a: 0, b: 1, reason: 'joined by j2, over links without a shape' }]);
    expect(unit).toBe(1);
    const one = await read(bytes, { oneBody: true });
    expect([one.bodies.length, one.allowed, one.robot, one.unit]).toEqual([1, undefined, undefined, 1]);
  });

  it('have the shapes of the sizes in the file', async () => {
    const { bodies, tessellation } = await read(
      robot(
        link('a', '<box size="1 2 3"/>'),
        link('b', '<cylinder radius="0.5" length="2"/>'),
        link('c', '<sphere radius="0.25"/>'),
        joint('j1', 'fixed', 'a', 'b'),
        joint('j2', 'fixed', 'a', 'c'),
      ),
    );
    expect([...bodies[0].mesh.bounds]).toEqual([-0.5, -1, -1.5, 0.5, 1, 1.5]);
    // The triangles lie inside the round shapes, by at most what is stated.
    const radius = (index: number, axes: number) => {
      const { positions } = bodies[index].mesh;
      let largest = 0;
      for (let i = 0; i < positions.length; i += 3)
        largest = Math.max(largest, Math.hypot(...positions.subarray(i, i + axes)));
      return largest;
    };
    expect(radius(1, 2)).toBeCloseTo(0.5, 12);
    expect(radius(2, 3)).toBeCloseTo(0.25, 12);
    const volume = (exact: number, inner: number, index: number) => {
      expect(bodies[index].mesh.volume).toBeLessThan(exact);
      expect(bodies[index].mesh.volume).toBeGreaterThan(inner);
    };
    volume(Math.PI * 0.25 * 2, Math.PI * (0.5 - tessellation!) ** 2 * 2, 1);
    volume((4 / 3) * Math.PI * 0.25 ** 3, (4 / 3) * Math.PI * (0.25 - tessellation!) ** 3, 2);
    expect(tessellation).toBeLessThan(0.002);
  });

  it('merge several shapes of a link in its frame', async () => {
    const shape = (x: number) =>
      `<collision><origin xyz="${x} 0 0"/><geometry><box size="1 1 1"/></geometry></collision>`;
    const { bodies } = await read(robot(`<link name="a">${shape(-2)}${shape(2)}</link>`));
    expect(bodies).toHaveLength(1);
    expect([...bodies[0].mesh.bounds]).toEqual([-2.5, -0.5, -0.5, 2.5, 0.5, 0.5]);
  });

  it('take the shapes for collision, those to look at, or the first there are', async () => {
    const both = (name: string, kinds: readonly string[]) =>
      `<link name="${name}">${kinds
        .map(kind => `<${kind}><geometry><box size="${kind === 'visual' ? 1 : 2} 1 1"/></geometry></${kind}>`)
        .join('')}</link>`;
    const bytes = robot(
      both('a', ['visual', 'collision']),
      both('b', ['visual']),
      joint('j', 'fixed', 'a', 'b'),
    );
    const widths = async (geometry?: 'collision' | 'visual') =>
      (await read(bytes, { geometry })).bodies.map(({ mesh }) => 2 * mesh.bounds[3]);
    expect([await widths(), await widths('visual'), await widths('collision')]).toEqual([
      [2, 1],
      [1, 1],
      [2],
    ]);
    await expect(readFile('r.urdf', bytes, { geometry: 'both' as never })).rejects.toThrow(
      "geometry must be 'collision' or 'visual', not \"both\"",
    );
  });
});

describe('mesh files', () => {
  const files: Readonly<Record<string, Uint8Array>> = {
    'meshes/a.stl': stlBinary(),
    'meshes/b.obj': encode(`# units: mm\n${objText}`),
    '../meshes/up.stl': stlBinary(),
  };
  const asked: string[] = [];
  const fetchBeside = async (path: string, byteLength: number) => {
    asked.push(path);
    expect(byteLength).toBe(Infinity);
    return files[path] ?? Promise.reject(new Error(`there is no ${path}`));
  };

  it('are fetched once, scaled, and shared', async () => {
    asked.length = 0;
    const scaled = '<mesh filename="meshes/a.stl" scale="0.001 0.002 -0.003"/>';
    const { bodies, warnings } = await read(
      robot(link('a', scaled), link('b', '<mesh filename="meshes/a.stl"/>'), joint('j', 'fixed', 'a', 'b')),
      { fetchBeside },
    );
    expect(asked).toEqual(['meshes/a.stl']);
    expect(bodies[0].mesh).toBe(bodies[1].mesh);
    expect([...bodies[0].pose!].filter((_, i) => i % 5 === 0)).toEqual([0.001, 0.002, -0.003, 1]);
    expect(warnings).toEqual([]);
    expect(bodies[0].rounding).toBeCloseTo(0.003 * bodies[1].rounding!, 20);
  });

  it('are warned about if they state another unit than metres', async () => {
    const { warnings } = await read(robot(link('a', '<mesh filename="meshes/b.obj"/>')), { fetchBeside });
    expect(warnings).toEqual([
      'meshes/b.obj: its unit is mm, but a URDF takes it as metres unless it gives a scale',
    ]);
  });

  it('are named if they are missing, of a wrong format, or damaged', async () => {
    const of = (filename: string) =>
      refusal('r.urdf', robot(link('a', `<mesh filename="${filename}"/>`)), { fetchBeside });
    expect(await of('meshes/none.stl')).toBe(
      'r.urdf: line 3: link "a": the mesh "meshes/none.stl" cannot be read (there is no meshes/none.stl)',
    );
    expect(await of('meshes/a.dae')).toMatch(
      /the mesh "meshes\/a\.dae" is not of a format that is read here: convert it to STL, OBJ or GLB/,
    );
    expect(await of('r.urdf')).toMatch(/is not of a format/);
    const bare = await refusal('r.urdf', robot(link('a', '<mesh filename="a.stl"/>')));
    expect(bare).toBe('r.urdf: line 3: link "a": needs the file "a.stl", which is missing');
    const damaged = { fetchBeside: async () => encode('solid x\nfacet') };
    await expect(read(robot(link('a', '<mesh filename="m/a.stl"/>')), damaged)).rejects.toThrow(
      /^m\/a\.stl: line 2: /,
    );
  });

  it('lie only where the caller allows', () => {
    const of = (filename: string, ...folders: string[]) => pathsOf('r.urdf', '', filename, folders);
    expect(of('a/b.stl')).toEqual(['a/b.stl']);
    expect(of('./a//x/../b.stl')).toEqual(['a/b.stl']);
    expect(of('a\\b.stl')).toEqual(['a/b.stl']);
    expect(of('../a.stl', 'urdf', 'arm')).toEqual(['../a.stl']);
    expect(of('arm/a.stl', 'urdf', 'arm')).toEqual(['arm/a.stl', '../a.stl']);
    expect(of('package://arm/meshes/a.stl', 'urdf', 'arm')).toEqual([
      '../meshes/a.stl',
      'arm/meshes/a.stl',
      '../arm/meshes/a.stl',
      'meshes/a.stl',
    ]);
    expect(of('package://arm/a.stl')).toEqual(['arm/a.stl', 'a.stl']);
    for (const [filename, message, ...folders] of [
      ['../a.stl', /leads out of the folders that may be read/, 'urdf'],
      ['x/../../../a.stl', /leads out of the folders/, 'urdf', 'arm'],
      ['package://arm/../../etc/passwd', /leads out of the folders/, 'urdf', 'arm', 'home'],
      ['/etc/passwd', /is an absolute path/, 'urdf'],
      ['C:\\a.stl', /is not a file name/, 'urdf'],
      ['file:///etc/passwd', /only relative paths and package:\/\/ are read/, 'urdf'],
      ['https://a.example/a.stl', /only relative paths/, 'urdf'],
      ['package:///etc/passwd', /is an absolute path/, 'urdf'],
      ['..', /is not a file name/, 'urdf'],
      ['a\nb.stl', /is not a file name/, 'urdf'],
    ] as const) {
      expect(() => of(filename, ...folders), filename).toThrow(message);
    }
  });

  it('never lie above the listed folders, whatever the name', () => {
    const seed = Number(process.env.NEARFIELD_SEED ?? 3);
    const next = randomBelow(seed);
    const words = ['..', '.', '', 'urdf', 'arm', 'a.stl', 'etc', 'package:', '...', '..\\', '%2e%2e'];
    for (let round = 0; round < 3000; round++) {
      const filename = Array.from({ length: 1 + next(7) }, () => words[next(words.length)]).join('/');
      const folders = ['urdf', 'arm', 'src'].slice(0, next(4));
      let paths: string[] = [];
      try {
        paths = pathsOf('r.urdf', '', filename, folders);
      } catch (error) {
        expect(error).toBeInstanceOf(NearfieldError);
      }
      for (const path of paths) {
        const up = /^(\.\.\/)*/.exec(path)![0].length / 3;
        expect(up, `seed ${seed}: ${filename}`).toBeLessThanOrEqual(Math.max(folders.length - 1, 0));
        expect(path.slice(3 * up).split('/'), `seed ${seed}: ${filename}`).not.toContain('..');
        expect(path).not.toMatch(/^\/|\\/);
      }
    }
  });
});

describe('SRDF', () => {
  const bytes = robot(
    link('a'),
    link('b'),
    link('c'),
    link('d'),
    '<link name="empty"/>',
    joint('j1', 'fixed', 'a', 'b'),
    joint('j2', 'fixed', 'b', 'c'),
    joint('j3', 'fixed', 'c', 'd'),
    joint('j4', 'fixed', 'd', 'empty'),
  );

  it('adds the pairs that it disables, with its reasons', async () => {
    const srdf = encode(`<robot name="r">
      <disable_collisions link1="c" link2="a" reason="Never"/>
      <disable_collisions link1="a" link2="b" reason="Adjacent"/>
      <disable_collisions link1="a" link2="empty"/>
      <disable_collisions link1="a" link2="gone"/>
    </robot>`);
    const { allowed, warnings } = await read(bytes, { srdf });
    expect(allowed!.map(({ a, b, reason }) => `${a} ${b} ${reason}`)).toEqual([
      '0 1 joined by j1',
      '0 2 SRDF: Never',
      '1 2 joined by j2',
      '2 3 joined by j3',
    ]);
    expect(warnings).toEqual(['r.urdf: the SRDF names links that the robot has not: "gone"']);
  });

  it('knows links that are disabled as a whole, with exceptions', async () => {
    const srdf = encode(
      '<robot name="r"><disable_default_collisions link="d"/><enable_collisions link1="d" link2="a"/></robot>',
    );
    const { allowed } = await read(bytes, { srdf });
    expect(allowed!.map(({ a, b }) => `${a} ${b}`)).toEqual(['0 1', '1 2', '1 3', '2 3']);
  });

  it('is refused if it is none', async () => {
    for (const [text, message] of [
      ['', /^r\.urdf: the SRDF: line 1: /],
      ['<a/>', /the SRDF: line 1: an SRDF must begin with <robot>, not with <a>/],
      ['<robot><disable_collisions link1="a"/></robot>', /<disable_collisions> has no link2/],
      ['<!DOCTYPE a [<!ENTITY b "c">]><robot/>', /document type/],
    ] as const) {
      expect(await refusal('r.urdf', bytes, { srdf: encode(text) })).toMatch(message);
    }
  });
});

describe('refusals', () => {
  const two = link('a') + link('b');
  it.each([
    ['another document', '<model/>', /a URDF must begin with <robot>, not with <model>/],
    ['no links', '<robot name="r"/>', /the robot has no links/],
    ['two links of one name', link('a') + link('a'), /a second link "a"/],
    ['a link without a name', '<link/>', /<link> has no name/],
    [
      'links that do not hang together',
      two,
      /the links must hang together, but "a" and "b" hang on no joint/,
    ],
    [
      'a loop of all links',
      two + joint('j', 'fixed', 'a', 'b') + joint('k', 'fixed', 'b', 'a'),
      /the joints form a loop/,
    ],
    [
      'a loop beside the tree',
      `${two}${link('c')}${joint('j', 'fixed', 'a', 'b')}${joint('k', 'fixed', 'b', 'a')}`,
      /some joints form a loop/,
    ],
    [
      'a link with two parents',
      two + joint('j', 'fixed', 'a', 'b') + joint('k', 'fixed', 'a', 'b'),
      /is the child of two joints/,
    ],
    [
      'a missing link',
      link('a') + joint('j', 'fixed', 'a', 'z'),
      /the joint "j" names the link "z", which is missing/,
    ],
    ['an unknown joint', two + joint('j', 'ball', 'a', 'b'), /"ball" is not a type of joint/],
    [
      'an axis of 0',
      two + joint('j', 'revolute', 'a', 'b', '<axis xyz="0 0 0"/>'),
      /the axis of a joint must not be 0/,
    ],
    [
      'a joint that follows itself',
      two + joint('j', 'revolute', 'a', 'b', '<mimic joint="j"/>'),
      /the joint "j" follows itself/,
    ],
    [
      'a joint that follows nothing',
      two + joint('j', 'revolute', 'a', 'b', '<mimic joint="k"/>'),
      /follows "k", which is missing/,
    ],
    ['a box of 0', link('a', '<box size="1 0 1"/>'), /the size of a box must be above 0/],
    ['a sphere without a radius', link('a', '<sphere/>'), /<sphere> has no radius/],
    ['a radius that is none', link('a', '<sphere radius="NaN"/>'), /must be a number above 0, not "NaN"/],
    ['a size too large', link('a', '<sphere radius="1e999"/>'), /must be a number above 0/],
    [
      'a shape that is not known',
      link('a', '<capsule radius="1" length="1"/>'),
      /the shape <capsule> is not supported/,
    ],
    [
      'two shapes in one',
      link('a', '<box size="1 1 1"/><box size="1 1 1"/>'),
      /must have one <geometry> with one shape/,
    ],
    [
      'an origin of two numbers',
      link('a', '<box size="1 1 1"/>', '<origin xyz="1 2"/>'),
      /xyz must be three numbers, not "1 2"/,
    ],
    ['text where there is none', `${link('a')} link name="b">`, /<robot> has text between its tags/],
    [
      'text in a link',
      link('a').replace('<collision>', 'collision>').replace('</collision>', ''),
      /<link> has text/,
    ],
    ['xacro', '<xacro:include filename="a"/>', /this is xacro, not URDF: expand it first/],
    ['nothing to check', '<link name="a"/>', /no link has a shape/],
    ['an entity', link('&lol;'), /undefined entity/],
    ['deep nesting', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, /nested more than 64 deep/],
  ])('%s', async (_, content, message) => {
    const text =
      content.startsWith('<model') || content.startsWith('<robot')
        ? content
        : `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">${content}</robot>`;
    expect(await refusal('r.urdf', encode(text))).toMatch(message);
  });

  it('a product that is not finite, xacro by its name, a document type', async () => {
    const far = '<origin xyz="1e308 0 0"/>';
    const chain = robot(
      link('a'),
      link('b'),
      link('c'),
      joint('j', 'fixed', 'a', 'b', far),
      joint('k', 'fixed', 'b', 'c', far),
    );
    expect(await refusal('r.urdf', chain)).toMatch(/is not finite/);
    expect(await refusal('r.urdf.xacro', chain)).toMatch(
      /this is xacro, not URDF: expand it first with "xacro r\.urdf\.xacro > robot\.urdf"/,
    );
    const lol = `<!DOCTYPE r [<!ENTITY a "${'lol'.repeat(9)}">]><robot/>`;
    expect(await refusal('r.urdf', encode(lol))).toMatch(/document type/);
  });

  it('20,000 links in a chain, in short time and with short paths', async () => {
    let text = '<link name="l0"/>';
    const count = 20_000;
    for (let i = 1; i < count; i++)
      text += `<link name="l${i}"/>${joint(`j${i}`, 'fixed', `l${i - 1}`, `l${i}`)}`;
    text = text.replace(`<link name="l${count - 1}"/>`, link(`l${count - 1}`));
    const { bodies } = await read(robot(text));
    expect(bodies[0].path).toHaveLength(64);
  });
});

it('warns of elements that it does not know', async () => {
  const text = link('a')
    .replace(/collision>/, 'collisions>')
    .replace('</collision>', '</collisions>');
  const { warnings } = await read(
    robot(text, link('b'), '<x:y xmlns:x="u"/>', joint('j', 'fixed', 'a', 'b')),
  );
  expect(warnings).toEqual(['r.urdf: line 3: <collisions> in <link> is skipped']);
});

it('keeps the positions of a mesh as they are in its file', async () => {
  const fetchBeside = async () => encode(objText);
  const { bodies } = await read(robot(link('a', '<mesh filename="a.obj"/>')), { fetchBeside });
  expect([...bodies[0].mesh.positions]).toEqual(tetrahedronPositions);
});
