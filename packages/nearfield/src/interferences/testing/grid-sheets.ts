// Open surfaces for tests: rectangles and segments of the integer grid. A small ball around a grid point consists of
// eight octants, twelve quarter faces and six half edges. Joining neighbours shows which of them are connected outside
// a surface. This is an independent way to the regions that link.ts finds by cycles on the sphere.

type Integers = (n: number) => number;

export interface GridSheets {
  readonly triangles: readonly (readonly number[])[];
  /** Unit faces, edges and vertices of the grid that belong to the surface, by their midpoints in units of one half. */
  readonly cells: ReadonlySet<string>;
}

/** Several rectangles, and now and then triangles without area along grid edges. */
export function randomSheets(random: Integers, count: number, size: number): GridSheets {
  const triangles: number[][] = [];
  const cells = new Set<string>();
  const rectangles = 1 + random(count);
  for (let i = 0; i < rectangles; i++) {
    const axis = random(3);
    const low = [random(size), random(size), random(size)];
    const high = low.map((x, k) => (k === axis ? x : x + 1 + random(Math.min(2, size - x))));
    if (random(6) === 0) high[(axis + 1) % 3] = low[(axis + 1) % 3];
    addCells(cells, low, high);
    const corners = cornersOf(low, high, axis);
    if (random(2)) corners.reverse();
    const [a, b, c, d] = corners;
    if (random(2)) triangles.push([...a, ...b, ...c], [...a, ...c, ...d]);
    else triangles.push([...a, ...b, ...d], [...b, ...c, ...d]);
  }
  return { triangles, cells };
}

/** The corners of a rectangle across an axis, in order around it. */
function cornersOf(low: readonly number[], high: readonly number[], axis: number): number[][] {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return [low, low.with(u, high[u]), high, low.with(v, high[v])].map(corner => [...corner]);
}

/** The surface of a random box of unit cubes. */
export function boxSheets(random: Integers, size: number): GridSheets {
  const low = [random(size - 1), random(size - 1), random(size - 1)];
  const high = low.map(x => x + 1 + random(2));
  const triangles: number[][] = [];
  const cells = new Set<string>();
  for (let axis = 0; axis < 3; axis++) {
    for (const at of [low[axis], high[axis]]) {
      const [from, to] = [[...low], [...high]];
      from[axis] = to[axis] = at;
      addCells(cells, from, to);
      const corners = cornersOf(from, to, axis);
      if (at === low[axis]) corners.reverse();
      const [a, b, c, d] = corners;
      triangles.push([...a, ...b, ...c], [...a, ...c, ...d]);
    }
  }
  return { triangles, cells };
}

/** Every unit cell of a closed rectangle, segment or point. */
function addCells(cells: Set<string>, low: readonly number[], high: readonly number[]): void {
  for (let x = 2 * low[0]; x <= 2 * high[0]; x++) {
    for (let y = 2 * low[1]; y <= 2 * high[1]; y++) {
      for (let z = 2 * low[2]; z <= 2 * high[2]; z++) cells.add(`${x},${y},${z}`);
    }
  }
}

/** The relation, found by testing every grid vertex and edge that belongs to both surfaces. */
export function relationByNeighbours(a: GridSheets, b: GridSheets): string {
  let common = false;
  for (const cell of a.cells) {
    if (!b.cells.has(cell)) continue;
    common = true;
    const at = cell.split(',').map(Number);
    if (isDivided(at, a, b) || isDivided(at, b, a)) return 'crossing';
  }
  return common ? 'touching' : 'separate';
}

/** Whether `sheets` has cells in two or more connected parts of the ball around a cell's midpoint without `divider`. */
export function isDivided(at: readonly number[], sheets: GridSheets, divider: GridSheets): boolean {
  // All cells whose closure contains this cell's midpoint. Along an axis on which this cell is a point, they extend
  // either way.
  const around = at.reduce<number[][]>(
    (list, x) => list.flatMap(cell => (x % 2 === 0 ? [-1, 0, 1] : [0]).map(step => [...cell, x + step])),
    [[]],
  );
  const name = (cell: readonly number[]): string => cell.join(',');
  const free = around.filter(cell => !divider.cells.has(name(cell)));
  const partOf = new Int32Array(free.length);
  let parts = 0;
  for (let start = 0; start < free.length; start++) {
    if (partOf[start] > 0) continue;
    const queue = [start];
    partOf[start] = ++parts;
    for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
      for (let other = 0; other < free.length; other++) {
        if (partOf[other] > 0 || !(isPart(free[cell], free[other]) || isPart(free[other], free[cell])))
          continue;
        partOf[other] = parts;
        queue.push(other);
      }
    }
  }
  const held = new Set<number>();
  free.forEach((cell, i) => {
    if (sheets.cells.has(name(cell))) held.add(partOf[i]);
  });
  return held.size > 1;
}

/**
 * Whether a cell is part of another's closure. They then differ only along axes on which the first is a point and the
 * other is not.
 */
const isPart = (p: readonly number[], q: readonly number[]): boolean =>
  isPartAlong(p[0], q[0]) && isPartAlong(p[1], q[1]) && isPartAlong(p[2], q[2]);

const isPartAlong = (x: number, y: number): boolean => x === y || (Math.abs(x - y) === 1 && x % 2 === 0);
