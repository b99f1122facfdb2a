// The contacts of solids made of unit cells, by counting. The second solid may be shifted by halves. Space is divided
// into half cells. An element of that grid is a cell, a face, an edge or a corner, given by three whole numbers: odd
// along an axis in which the element extends, even if it lies in a plane of the grid. One step is a quarter of a
// unit.
// The common part of two closed solids is split by dimension. Cells in both are overlaps; cells that share any point
// are one overlap. Faces with one solid on either side are flat contacts; faces of one plane and one direction that
// share any point are one. Edges that neither contains are lines; corners that none of these contains are points.
// Lines connect at corners that overlaps and flat contacts do not contain.

import { type Mesh, mesh } from 'nearfield';

export type Cell = readonly number[];
type Element = readonly [number, number, number];

/** The boundary of a union of unit cells, given by their lowest corners: two triangles per face. */
export function cellSolid(cells: readonly Cell[], turned = false): Mesh {
  const has = new Set(cells.map(cell => cell.join()));
  const soup: number[] = [];
  for (const cell of cells) {
    for (let axis = 0; axis < 3; axis++) {
      for (const step of [0, 1]) {
        const next = cell.map((c, i) => (i === axis ? c + 2 * step - 1 : c));
        if (has.has(next.join())) continue;
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        const corner = (i: number, j: number): number[] => {
          const p = [...cell];
          p[axis] += step;
          p[u] += i;
          p[v] += j;
          return p;
        };
        const square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        if (step === 0) square.reverse();
        const [a, b, c, d] = turned ? [...square.slice(1), square[0]] : square;
        soup.push(...a, ...b, ...c, ...a, ...c, ...d);
      }
    }
  }
  return mesh(Float64Array.from(soup));
}

/** One connected part of a contact of voxels. */
export interface VoxelContact {
  readonly kind: 'overlap' | 'flat' | 'line' | 'point';
  /**
   * For flat contacts, the area times the unit normal from A to B. For overlaps, the sum of A's outward normals over
   * its faces in B; a face of both with the same direction counts half.
   */
  readonly vector: readonly number[];
  /** Corners of its elements, in units. */
  readonly corners: readonly (readonly number[])[];
  /** The area of flat contacts, the volume of overlaps, the length of lines, 0 for points. */
  readonly size: number;
}

const key = ([x, y, z]: Element): number => ((x + 512) * 1024 + y + 512) * 1024 + z + 512;

/** Half cells of a solid, by key. `shift` is in halves. */
function halfCells(cells: readonly Cell[], shift: readonly number[]): Set<number> {
  const found = new Set<number>();
  for (const cell of cells) {
    for (let i = 0; i < 8; i++) {
      const at = cell.map((c, axis) => 4 * c + 2 * shift[axis] + 2 * ((i >> axis) & 1) + 1);
      found.add(key(at as unknown as Element));
    }
  }
  return found;
}

/**
 * Every element that contains the given one or that it contains, with `odd` extents: those within one step along each
 * axis.
 */
function near(element: Element, keep: (other: Element) => boolean): Element[] {
  const found: Element[] = [];
  for (let x = -1; x <= 1; x++) {
    for (let y = -1; y <= 1; y++) {
      for (let z = -1; z <= 1; z++) {
        const other: Element = [element[0] + x, element[1] + y, element[2] + z];
        if (keep(other)) found.push(other);
      }
    }
  }
  return found;
}

const extent = (element: Element): number => element.filter(x => x % 2 !== 0).length;

/** The element and its boundary: along axes in which it extends, also both ends. */
function closure(element: Element): Element[] {
  return near(element, other => other.every((x, i) => x === element[i] || element[i] % 2 !== 0));
}

/** The cells around an element. */
const cellsAround = (element: Element): Element[] =>
  near(element, other => other.every((x, i) => x % 2 !== 0 && (x === element[i] || element[i] % 2 === 0)));

/** The contacts of A with B moved by `shift` halves. */
export function voxelContacts(
  a: readonly Cell[],
  b: readonly Cell[],
  shift: readonly number[],
): VoxelContact[] {
  const [inA, inB] = [halfCells(a, [0, 0, 0]), halfCells(b, shift)];
  const closed = (cells: Set<number>, element: Element): boolean =>
    cellsAround(element).some(cell => cells.has(key(cell)));
  const contacts: VoxelContact[] = [];
  const overlaps = [...inA].filter(k => inB.has(k)).map(elementOf);
  const taken = new Set<number>(overlaps.flatMap(cell => closure(cell).map(key)));
  for (const group of grouped(overlaps, () => '')) {
    contacts.push(contactOf('overlap', group, vectorOver(group, inA, inB), 1 / 8));
  }
  const faces: Element[] = [];
  const directions = new Map<number, number[]>();
  const candidates = new Map<number, Element>();
  for (const k of inA) {
    for (const element of closure(elementOf(k))) {
      if (closed(inB, element)) candidates.set(key(element), element);
    }
  }
  for (const [k, element] of candidates) {
    if (extent(element) !== 2) continue;
    const axis = element.findIndex(x => x % 2 === 0);
    const [low, high] = [-1, 1].map(step => element.map((x, i) => (i === axis ? x + step : x)));
    const [lowKey, highKey] = [key(low as unknown as Element), key(high as unknown as Element)];
    const faceOfA = inA.has(lowKey) !== inA.has(highKey);
    const faceOfB = inB.has(lowKey) !== inB.has(highKey);
    if (!faceOfA || !faceOfB || inA.has(lowKey) === inB.has(lowKey)) continue;
    faces.push(element);
    directions.set(
      k,
      [0, 1, 2].map(i => (i === axis ? (inA.has(lowKey) ? 1 : -1) : 0)),
    );
  }
  const plane = (element: Element): string => {
    const direction = directions.get(key(element))!;
    return `${direction},${element.reduce((sum, x, i) => sum + x * direction[i], 0)}`;
  };
  for (const face of faces) for (const element of closure(face)) taken.add(key(element));
  for (const group of grouped(faces, plane)) {
    const vector = directions.get(key(group[0]))!.map(x => (x * group.length) / 4);
    contacts.push(contactOf('flat', group, vector, 1 / 4));
  }
  const left = [...candidates.values()].filter(element => !taken.has(key(element)));
  const edges = left.filter(element => extent(element) === 1);
  const held = new Set(edges.flatMap(edge => closure(edge).map(key)));
  for (const group of grouped(edges, () => '', taken))
    contacts.push(contactOf('line', group, [0, 0, 0], 1 / 2));
  for (const corner of left) {
    if (extent(corner) === 0 && !held.has(key(corner)))
      contacts.push(contactOf('point', [corner], [0, 0, 0], 0));
  }
  return contacts;
}

const elementOf = (k: number): Element => [
  Math.floor(k / 2 ** 20) - 512,
  (Math.floor(k / 1024) % 1024) - 512,
  (k % 1024) - 512,
];

/** Groups elements of one kind that share points other than the `cut` ones. */
function grouped(
  elements: readonly Element[],
  kindOf: (element: Element) => string,
  cut?: Set<number>,
): Element[][] {
  const at = new Map<string, Element[]>();
  const nameOf = (kind: string, corner: Element): string => `${kind}|${corner}`;
  for (const element of elements) {
    for (const corner of closure(element)) {
      if (extent(corner) > 0 || cut?.has(key(corner))) continue;
      const name = nameOf(kindOf(element), corner);
      at.set(name, [...(at.get(name) ?? []), element]);
    }
  }
  const seen = new Set<number>();
  const groups: Element[][] = [];
  for (const first of elements) {
    if (seen.has(key(first))) continue;
    seen.add(key(first));
    const group = [first];
    for (const element of group) {
      for (const corner of closure(element)) {
        for (const other of at.get(nameOf(kindOf(element), corner)) ?? []) {
          if (seen.has(key(other))) continue;
          seen.add(key(other));
          group.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

/** The sum of A's outward normals over the faces of a group of cells, in units. */
function vectorOver(group: readonly Element[], inA: Set<number>, inB: Set<number>): number[] {
  const vector = [0, 0, 0];
  for (const cell of group) {
    for (let axis = 0; axis < 3; axis++) {
      for (const step of [-1, 1]) {
        const next = key(cell.map((x, i) => (i === axis ? x + 2 * step : x)) as unknown as Element);
        if (!inA.has(next)) vector[axis] += (step / 4) * (inB.has(next) ? 1 : 0.5);
      }
    }
  }
  return vector;
}

const contactOf = (
  kind: VoxelContact['kind'],
  group: readonly Element[],
  vector: readonly number[],
  each: number,
): VoxelContact => ({
  kind,
  vector,
  size: group.length * each,
  corners: group.flatMap(element =>
    closure(element)
      .filter(corner => extent(corner) === 0)
      .map(corner => corner.map(x => x / 4)),
  ),
});
