// Open surfaces for tests: rectangles and segments of the integer grid. Around each grid point the ball is eight
// octants, twelve quarter faces and six half edges; which hang together outside a surface is found by joining
// neighbours. That is another way to the regions that link.ts finds by cycles on the sphere.

type Integers = (n: number) => number;

export interface GridSheets {
  readonly triangles: readonly (readonly number[])[];
  /** Unit faces, edges and vertices of the grid that belong to the surface, by their middles in halves. */
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
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const corner = (a: number, b: number): number[] => {
      const point = [...low];
      point[u] = a;
      point[v] = b;
      return point;
    };
    const corners = [
      corner(low[u], low[v]),
      corner(high[u], low[v]),
      corner(high[u], high[v]),
      corner(low[u], high[v]),
    ];
    if (random(2)) corners.reverse();
    const [a, b, c, d] = corners;
    if (random(2)) triangles.push([...a, ...b, ...c], [...a, ...c, ...d]);
    else triangles.push([...a, ...b, ...d], [...b, ...c, ...d]);
  }
  return { triangles, cells };
}

/** The faces of the unit cubes around, as a surface that bounds a box. */
export function boxSheets(random: Integers, size: number): GridSheets {
  const low = [random(size - 1), random(size - 1), random(size - 1)];
  const high = low.map(x => x + 1 + random(2));
  const triangles: number[][] = [];
  const cells = new Set<string>();
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const at of [low[axis], high[axis]]) {
      const [from, to] = [[...low], [...high]];
      from[axis] = to[axis] = at;
      addCells(cells, from, to);
      const corner = (a: number, b: number): number[] => {
        const point = [...from];
        point[u] = a;
        point[v] = b;
        return point;
      };
      const corners = [
        corner(low[u], low[v]),
        corner(high[u], low[v]),
        corner(high[u], high[v]),
        corner(low[u], high[v]),
      ];
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

/** The relation by looking at every grid vertex and edge that both surfaces hold. */
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

/** Whether `sheets` has cells in two or more connected parts of the ball around a cell's middle less `divider`. */
export function isDivided(at: readonly number[], sheets: GridSheets, divider: GridSheets): boolean {
  // All cells whose closure holds the middle of this one: along axes on which it is a point they go either way.
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

/** Whether a cell is part of the closure of another, on which it borders then: they differ along axes on which it alone is a point. */
const isPart = (p: readonly number[], q: readonly number[]): boolean =>
  isPartAlong(p[0], q[0]) && isPartAlong(p[1], q[1]) && isPartAlong(p[2], q[2]);

const isPartAlong = (x: number, y: number): boolean => x === y || (Math.abs(x - y) === 1 && x % 2 === 0);
