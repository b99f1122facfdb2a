// Models of real programs, if they lie beside the repository or in NEARFIELD_MODELS: a house as IFC and as GLB, assemblies as STEP. The parts
// are counted and stand where other readers put them.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkAssembly } from '@nearfield/clashes';
import { applyPose, open } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import type { ReadBody } from '../../packages/io/src/read-result.ts';
import { refusal } from '../../packages/io/src/testing/samples.ts';

const folder =
  process.env['NEARFIELD_MODELS'] ?? fileURLToPath(new URL('../../../shared/models', import.meta.url));
const bytesOf = (name: string) => new Uint8Array(readFileSync(`${folder}/${name}`));
const read = (name: string) => readFile(name.slice(name.lastIndexOf('/') + 1), bytesOf(name));

/** World positions, each once up to a micrometre or so; `turned` puts y of a GLB upwards, as z. */
function pointsOf({ mesh, pose }: ReadBody, turned: boolean): Float64Array[] {
  const points = new Map<string, Float64Array>();
  for (let i = 0; i < mesh.positions.length; i += 3) {
    const at = mesh.positions.slice(i, i + 3) as Float64Array;
    const world = new Float64Array(at);
    if (pose) applyPose(pose, at[0], at[1], at[2], world, 0);
    if (turned) world.set([world[0], -world[2], world[1]]);
    points.set(world.map(x => Math.round(x * 1e5)).join(), world);
  }
  return [...points.values()];
}

/** The greatest distance from a point of one set to the nearest of the other. */
function distanceOf(a: readonly Float64Array[], b: readonly Float64Array[]): number {
  let most = 0;
  for (const [x, y, z] of a) {
    let least = Infinity;
    for (const p of b) least = Math.min(least, (p[0] - x) ** 2 + (p[1] - y) ** 2 + (p[2] - z) ** 2);
    most = Math.max(most, least);
  }
  return Math.sqrt(most);
}

describe.skipIf(!existsSync(folder))('models beside the repository', () => {
  it('the house as IFC has the parts of its GLB, at the same places', async () => {
    const [ifc, glb] = [await read('duplex.ifc'), await read('ifc_duplex.glb')];
    expect([ifc.bodies.length, ifc.unit]).toEqual([215, 1]);
    const text = new TextDecoder().decode(bytesOf('duplex.ifc'));
    const numbers = new Map(
      Array.from(text.matchAll(/#(\d+)\s*=\s*IFC\w+\('([^']{22})'/g), ([, id, guid]) => [guid, id]),
    );
    const byNumber = new Map(glb.bodies.map(body => [/\d+$/.exec(body.name)![0], body]));
    let most = 0;
    for (const body of ifc.bodies) {
      const other = byNumber.get(numbers.get(body.id!)!)!;
      const [a, b] = [pointsOf(body, false), pointsOf(other, true)];
      most = Math.max(most, distanceOf(a, b), distanceOf(b, a));
    }
    // The GLB has single-precision world positions up to 20 m: half a unit in the last place is 0.95 µm an axis.
    expect(most).toBeLessThan(2e-6);
  });

  it('the house as IFC has the clashes of its GLB that are deeper than a millimetre', async () => {
    const text = new TextDecoder().decode(bytesOf('duplex.ifc'));
    const numbers = new Map(
      Array.from(text.matchAll(/#(\d+)\s*=\s*IFC\w+\('([^']{22})'/g), ([, id, guid]) => [guid, id]),
    );
    const nf = await open({ backend: 'cpu' });
    /** Clashes by the numbers of their parts in the IFC file. */
    const clashesOf = async (name: string) => {
      const { bodies } = await read(name);
      const { answer } = await checkAssembly(nf, {
        ...{ bodies, tolerance: 0.001, unit: 1, method: 'hierarchy', samples: false, keepTriangles: 'none' },
        ...{ readTime: 0, openTime: 0, version: '0', progress: () => {} },
      });
      const numberOf = (i: number) => numbers.get(bodies[i].id ?? '') ?? /\d+$/.exec(bodies[i].name)![0];
      const { pairs } = answer.frames[0];
      expect(pairs.filter(pair => pair.undecided).length).toBeLessThanOrEqual(0.02 * pairs.length);
      const clashes = pairs.filter(({ verdict }) => verdict === 'clash');
      return new Map(clashes.map(pair => [[numberOf(pair.a), numberOf(pair.b)].sort().join(), pair]));
    };
    const [ifc, glb] = [await clashesOf('duplex.ifc'), await clashesOf('ifc_duplex.glb')];
    nf.close();
    expect(glb.size).toBeGreaterThan(100);
    // Parts that are a millimetre deep by design are a little more or less by the rounding of either file.
    const alone = [...ifc, ...glb].filter(([key]) => !(ifc.has(key) && glb.has(key)));
    expect(alone.filter(([, { depth }]) => !(depth!.upper < 0.001 + 2e-6)).map(([key]) => key)).toEqual([]);
    expect(alone.length).toBeLessThanOrEqual(1);
  }, 60_000);

  it('a house in millimetres', async () => {
    const { bodies, unit } = await read('IfcOpenHouse_IFC4.ifc');
    expect([bodies.length, unit]).toEqual([35, 0.001]);
    const roof = bodies.find(({ name }) => name === 'South roof')!;
    expect([roof.type, roof.id]).toEqual(['IfcSlab', '2KoBar2pfAWBou8q$ldGHy']);
  });

  it('one cube in three units', async () => {
    for (const [name, unit] of [
      ['step/cube-mm.step', 0.001],
      ['step/cube-m.step', 1],
      ['step/cube-in.step', 0.0254],
    ] as const) {
      const result = await read(name);
      expect(result.unit).toBe(unit);
      const { bounds, volume } = result.bodies[0].mesh;
      bounds.forEach((x, i) => {
        expect(x * unit).toBeCloseTo(i < 3 ? 0 : 1, 11);
      });
      expect(volume * unit ** 3).toBeCloseTo(1, 11);
    }
  });

  it('an assembly without its parts is refused by their names', async () => {
    expect(await refusal('s1.stp', bytesOf('step/s1-c5-214.stp'))).toContain(
      '"TAIL.stp", "HEAD.stp", "MAINBODY.stp", "FOOT.stp"',
    );
  });
});
