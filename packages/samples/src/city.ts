// A city of any number of parts, to measure how checks grow with it: buildings on a grid of streets, with floors, columns,
// walls, pipes, beams and lamps. A few shapes are shared by all parts, as instances share meshes in a CAD model. Some pipes
// go through walls where they should not. The heights of buildings follow a skewed distribution, so the parts are not
// evenly spread.

import { type Mesh, type Pose, shapes } from 'nearfield';
import { cubeRoot } from './elementary.ts';

export interface CityPart {
  readonly name: string;
  readonly mesh: Mesh;
  readonly pose: Pose;
}

/** Parts per floor of a building: a slab, four columns, four walls, two beams, eight pipes and a lamp. */
const partsPerFloor = 20;
const [width, storey, street] = [10, 3.5, 6];

/** The profile of a round bar about the z axis. */
const bar = (radius: number, from: number, to: number): [number, number][] => [
  [0, from],
  [radius, from],
  [radius, to],
  [0, to],
];

/** The first `count` parts of a city that has at least as many. The same seed gives the same city on every machine. */
export function cityParts(count: number, seed = 23): CityPart[] {
  const random = shapes.createRandom(seed);
  const box = (x: number, y: number, z: number) => shapes.box({ size: [x, y, z] });
  const slab = box(width, width, 0.3);
  const column = shapes.revolve({ profile: bar(0.25, 0, storey - 0.4), segments: 24 });
  const walls = [box(width, 0.2, storey - 0.4), box(0.2, width, storey - 0.4)];
  const beam = box(width - 0.5, 0.3, 0.4);
  const pipe = shapes.revolve({ profile: bar(0.06, 0, width - 1), segments: 32 });
  const lamp = shapes.icosphere({ radius: 0.15, frequency: 4 });
  const parts: CityPart[] = [];
  const floors = Math.ceil(count / partsPerFloor);
  const side = Math.ceil(Math.sqrt(floors / 6)) + 1;
  const add = (name: string, mesh: Mesh, x: number, y: number, z: number, turned = false) => {
    const pose = turned
      ? Float64Array.of(0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, x, y, z, 1)
      : Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
    if (parts.length < count) parts.push({ name, mesh, pose });
  };
  for (let block = 0; parts.length < count; block++) {
    const [x, y] = [(block % side) * (width + street), Math.floor(block / side) * (width + street)];
    const u = random.next();
    const height = 1 + Math.floor(cubeRoot(1 / (1 - 0.999 * u)) * 3);
    for (let floor = 0; floor < height && parts.length < count; floor++) {
      const z = floor * storey;
      const at = `building ${block}/floor ${floor}`;
      add(`${at}/slab`, slab, x, y, z - 0.2);
      for (let i = 0; i < 4; i++) {
        const [dx, dy] = [(i & 1 ? 1 : -1) * 4.5, (i & 2 ? 1 : -1) * 4.5];
        add(`${at}/column ${i}`, column, x + dx, y + dy, z);
        const along = i & 1;
        add(
          `${at}/wall ${i}`,
          walls[along],
          x + (along ? dx : 0),
          y + (along ? 0 : dy),
          z + storey / 2 - 0.2,
        );
      }
      for (let i = 0; i < 2; i++) add(`${at}/beam ${i}`, beam, x, y + 6 * i - 3, z + storey - 0.6);
      for (let i = 0; i < 8; i++) {
        // One in sixteen hangs too low or too far out.
        const stray = random.integer(16) === 0 ? 0.4 : 0;
        add(`${at}/pipe ${i}`, pipe, x - width / 2 + 0.5 + stray, y + i - 3.4, z + storey - 0.95, true);
      }
      add(`${at}/lamp`, lamp, x, y, z + storey - 1.4);
    }
  }
  return parts;
}
