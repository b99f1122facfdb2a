// The mesh files of a URDF: which are fetched, from where, and how they are placed.

import { NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { randomBelow } from '../testing/random.ts';
import { encode, objText, refusal, stlBinary, tetrahedronPositions } from '../testing/samples.ts';
import { joint, link, readRobot, robot } from '../testing/urdf-samples.ts';
import { pathsOf } from './mesh-files.ts';

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
    const { bodies, warnings } = await readRobot(
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
    const { warnings } = await readRobot(robot(link('a', '<mesh filename="meshes/b.obj"/>')), {
      fetchBeside,
    });
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
    await expect(readRobot(robot(link('a', '<mesh filename="m/a.stl"/>')), damaged)).rejects.toThrow(
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

it('keeps the positions of a mesh as they are in its file', async () => {
  const fetchBeside = async () => encode(objText);
  const { bodies } = await readRobot(robot(link('a', '<mesh filename="a.obj"/>')), { fetchBeside });
  expect([...bodies[0].mesh.positions]).toEqual(tetrahedronPositions);
});
