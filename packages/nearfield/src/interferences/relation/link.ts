// Does one surface have points on both sides of another, near a common point? The directions from the point form a
// sphere. On it, each triangle that contains the point is one or a few great-circle arcs (its link). The other
// surface's arcs divide the sphere into regions. The question is whether one surface's arcs, where they are not on the
// other's, lie in two or more regions.
//
// Two directions lie in different regions of the complement of a graph on the sphere iff some cycle of the graph
// separates them, that is, crosses a path between them an odd number of times. Count the crossings of each arc with the
// path modulo 2. Such a cycle exists iff these numbers are not the differences of a 0-1 labelling of the graph's nodes.
// A union-find with parities decides that, without building the regions. All signs are exact.
//
// The directions into a triangle are the same at all points of its interior, at all points of one side, or at a corner.
// So only that place enters, not the point: numbers have the digits of differences of corners.

import type { Sign } from '../../math/exact/orient.ts';
import { cross, dot, type Homogeneous, isZero, negate, signOf } from '../../math/exact/rational.ts';
import type { Hull } from '../../math/triangles/triangle-contact.ts';

/** A great-circle arc from u to v, shorter than half a circle; n = u × v. */
class Arc {
  #afterU: Homogeneous | undefined;
  #beforeV: Homogeneous | undefined;

  constructor(
    readonly u: Homogeneous,
    readonly v: Homogeneous,
    readonly n: Homogeneous,
  ) {}

  /** Whether a direction lies on it. A direction αu + βv has u × x = βn and x × v = αn. */
  holds(x: Homogeneous): boolean {
    if (dot(this.n, x) !== 0n) return false;
    // (u × x)·n = (n × u)·x and (x × v)·n = (v × n)·x.
    this.#afterU ??= cross(this.n, this.u);
    if (dot(this.#afterU, x) < 0n) return false;
    this.#beforeV ??= cross(this.v, this.n);
    return dot(this.#beforeV, x) >= 0n;
  }
}

/** The directions from a point into a surface. */
interface Link {
  readonly arcs: Arc[];
  /** Directions of segments: triangles without area. */
  readonly points: Homogeneous[];
}

/** A triangle that contains a point, and where in it that lies (Hull.placeOf). */
export interface Around {
  readonly hull: Hull;
  readonly place: number;
}

/**
 * Whether, arbitrarily near a point, one of two surfaces has points in two or more regions of the other's complement.
 * `a` and `b` are all triangles of each surface that contain the point.
 */
export function crossesAt(a: readonly Around[], b: readonly Around[]): boolean {
  const [linkA, linkB] = [linkOf(a), linkOf(b)];
  return isDividedBy(linkA, linkB) || isDividedBy(linkB, linkA);
}

function linkOf(triangles: readonly Around[]): Link {
  const link: Link = { arcs: [], points: [] };
  for (const triangle of triangles) {
    const { arcs, points } = partOfLink(triangle);
    link.arcs.push(...arcs);
    for (const point of points) addPoint(link.points, point);
  }
  return link;
}

/** What triangles add to links, by place. */
const knownParts = new WeakMap<Hull, Map<number, Link>>();

function partOfLink({ hull, place }: Around): Link {
  let parts = knownParts.get(hull);
  if (!parts) knownParts.set(hull, (parts = new Map()));
  let part = parts.get(place);
  if (!part) parts.set(place, (part = newPart(hull, place)));
  return part;
}

function newPart(hull: Hull, place: number): Link {
  const { directions } = hull;
  if (directions.length === 1) return { arcs: [], points: [] };
  if (directions.length === 2) {
    // From an end of a segment to the other, or both ways.
    return { arcs: [], points: directions.filter((_, end) => (place & (1 << (1 - end))) === 0) };
  }
  // With u, v, w from each corner to the next, all of u × v, v × w and w × u point the same way.
  const n = cross(directions[0], directions[1]);
  const arc = (from: Homogeneous, to: Homogeneous): Arc => new Arc(from, to, n);
  const [first, second, third] = [0, 1, 2].map(i => ({
    isOn: (place & (1 << i)) !== 0,
    along: directions[i],
    before: directions[(i + 2) % 3],
    after: directions[(i + 1) % 3],
  }));
  const sides = [first, second, third].filter(({ isOn }) => isOn);
  // Inside, the link is a whole circle. The directions around the triangle add up to 0, so they are all around.
  if (sides.length === 0) {
    return { arcs: directions.map((u, i) => arc(u, directions[(i + 1) % 3])), points: [] };
  }
  // On a side, it is half a circle: two arcs, over the direction to the corner opposite.
  if (sides.length === 1) {
    const [{ along, after }] = sides;
    return { arcs: [arc(along, after), arc(after, negate(along))], points: [] };
  }
  // At a corner, it is an arc from one side that ends there to the other.
  const { along, before } = sides[1].before === sides[0].along ? sides[1] : sides[0];
  return { arcs: [arc(along, negate(before))], points: [] };
}

/** The index of a direction in the list. A new direction is appended. */
function addPoint(points: Homogeneous[], direction: Homogeneous): number {
  const at = points.findIndex(other => sameDirection(other, direction));
  return at >= 0 ? at : points.push(direction) - 1;
}

const sameDirection = (u: Homogeneous, v: Homogeneous): boolean => isZero(cross(u, v)) && dot(u, v) > 0n;

/** Whether the first link, where it is not on the second, lies in two or more regions of the second's complement. */
function isDividedBy(link: Link, divider: Link): boolean {
  // Arcs are shorter than half a circle, so fewer than three enclose nothing.
  if (divider.arcs.length < 3) return false;
  const samples: Homogeneous[] = [];
  for (const point of link.points) {
    const onDivider =
      divider.arcs.some(arc => arc.holds(point)) || divider.points.some(other => sameDirection(other, point));
    if (!onDivider) samples.push(point);
  }
  for (const arc of link.arcs) {
    const stops = stopsOn(arc, divider.arcs);
    for (let i = 0; i + 1 < stops.length; i++) {
      const middle = sum(stops[i], stops[i + 1]);
      if (!divider.arcs.some(other => other.holds(middle))) samples.push(middle);
    }
  }
  if (samples.length < 2) return false;
  const graph = graphOf(divider.arcs);
  return samples.some((sample, i) => i > 0 && areSeparated(graph, samples[0], sample));
}

/**
 * The ends of an arc and every point at which another arc meets it, begins or ends on it, in order along the arc.
 *
 * Two great circles meet in x = n × m and in −x. On the arc, (u × x)·n = n²·(u·m) and (x × v)·n = −n²·(v·m). So x is on
 * it iff u·m ≥ 0 ≥ v·m, and −x iff u·m ≤ 0 ≤ v·m. On the other arc, where n and m change places, x is −(m × n).
 */
function stopsOn(arc: Arc, others: readonly Arc[]): Homogeneous[] {
  const { u, v, n } = arc;
  const stops: Homogeneous[] = [];
  addPoint(stops, u);
  addPoint(stops, v);
  for (const other of others) {
    if (other === arc) continue;
    const [su, sv] = [signOf(dot(u, other.n)), signOf(dot(v, other.n))];
    if (su * sv > 0) continue;
    if (su === 0 && sv === 0) {
      for (const end of [other.u, other.v]) if (arc.holds(end)) addPoint(stops, end);
      continue;
    }
    const [tu, tv] = [signOf(dot(other.u, n)), signOf(dot(other.v, n))];
    if (su >= 0 && sv <= 0 && tu <= 0 && tv >= 0) addPoint(stops, cross(n, other.n));
    if (su <= 0 && sv >= 0 && tu >= 0 && tv <= 0) addPoint(stops, cross(other.n, n));
  }
  return stops.length > 2 ? stops.sort((x, y) => -signOf(dot(cross(x, y), n))) : stops;
}

const sum = (u: Homogeneous, v: Homogeneous): Homogeneous => ({
  x: u.x + v.x,
  y: u.y + v.y,
  z: u.z + v.z,
  w: 0n,
});

interface Graph {
  readonly nodes: Homogeneous[];
  /** The two nodes of each piece of an arc. Pieces meet only in their ends. */
  readonly edges: [number, number][];
  /** Per piece, a positive multiple of its first node times its second: the normal of its plane. */
  readonly normals: Homogeneous[];
}

function graphOf(arcs: readonly Arc[]): Graph {
  const graph: Graph = { nodes: [], edges: [], normals: [] };
  for (const arc of arcs) {
    const stops = stopsOn(arc, arcs).map(stop => addPoint(graph.nodes, stop));
    for (let i = 0; i + 1 < stops.length; i++) {
      graph.edges.push([stops[i], stops[i + 1]]);
      graph.normals.push(arc.n);
    }
  }
  return graph;
}

/** Whether a cycle of the graph separates two directions that are not on it. */
function areSeparated(graph: Graph, from: Homogeneous, to: Homogeneous): boolean {
  const legs = pathBetween(graph, from, to).map(([a, b]) => ({ a, b, n: cross(a, b) }));
  const parent = graph.nodes.map((_, i) => i);
  // The label of each node relative to its parent's.
  const parity = graph.nodes.map(() => 0);
  const find = (node: number): [number, number] => {
    let label = 0;
    while (parent[node] !== node) {
      label ^= parity[node];
      node = parent[node];
    }
    return [node, label];
  };
  // On which side of each leg's great circle the nodes lie.
  const sides = legs.map(({ n }) => graph.nodes.map(node => signOf(dot(n, node))));
  for (let edge = 0; edge < graph.edges.length; edge++) {
    const [i, j] = graph.edges[edge];
    let crossings = 0;
    for (let leg = 0; leg < legs.length; leg++) {
      const { a, b } = legs[leg];
      crossings ^= crossing(a, b, graph.normals[edge], sides[leg][i], sides[leg][j]);
    }
    const [rootI, labelI] = find(i);
    const [rootJ, labelJ] = find(j);
    if (rootI !== rootJ) {
      parent[rootI] = rootJ;
      parity[rootI] = labelI ^ labelJ ^ crossings;
    } else if ((labelI ^ labelJ) !== crossings) return true;
  }
  return false;
}

/**
 * A path from one direction to another by arcs whose great circles meet no node. The exception are nodes opposite to an
 * arc's ends: they are on every great circle through that end, but never on the arc.
 */
function pathBetween(graph: Graph, from: Homogeneous, to: Homogeneous): [Homogeneous, Homogeneous][] {
  const isGeneric = (u: Homogeneous, v: Homogeneous): boolean => {
    const n = cross(u, v);
    const isOpposite = (node: Homogeneous): boolean =>
      sameDirection(negate(node), u) || sameDirection(negate(node), v);
    return !isZero(n) && graph.nodes.every(node => dot(n, node) !== 0n || isOpposite(node));
  };
  if (isGeneric(from, to)) return [[from, to]];
  for (let state = 0x1234567; ; ) {
    const next = (): bigint => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return BigInt((state >>> 8) - 2 ** 23);
    };
    const via: Homogeneous = { x: next(), y: next(), z: next(), w: 0n };
    if (isGeneric(from, via) && isGeneric(via, to)) {
      return [
        [from, via],
        [via, to],
      ];
    }
  }
}

/**
 * 1 if the arcs from a to b and from u to v cross, else 0, given m, a positive multiple of u × v, and the signs of
 * (a × b)·u and (a × b)·v. u and v must not be on the great circle of a and b, unless they are opposite to a or b.
 * (a × b) × (u × v) = det(a,b,v)·u − det(a,b,u)·v = det(u,v,a)·b − det(u,v,b)·a. So a common direction is a positive
 * combination of both pairs iff the four determinants have these signs. If a or b is on the other's great circle, as it
 * is if u or v is opposite to it, it is not on the arc itself, and the arcs do not cross.
 */
function crossing(a: Homogeneous, b: Homogeneous, m: Homogeneous, su: Sign, sv: Sign): 0 | 1 {
  if (su === sv) return 0;
  return signOf(dot(m, a)) === sv && signOf(dot(m, b)) === su ? 1 : 0;
}
