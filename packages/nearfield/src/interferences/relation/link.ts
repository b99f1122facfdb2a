// Does one surface have points on both sides of another, near a common point? The directions from the point form a
// sphere. On it, each triangle that contains the point is one or a few great-circle arcs (its link). The other
// surface's arcs divide the sphere into regions. The question is whether one surface's arcs, where they are not on the
// other's, lie in two or more regions.
//
// Two directions lie in different regions of the complement of a graph on the sphere iff some cycle of the graph
// separates them, that is, crosses a path between them an odd number of times. Count the crossings of each arc with the
// path modulo 2. Such a cycle exists iff these numbers are not the differences of a 0-1 labelling of the graph's nodes.
// A union-find with parities decides that, without building the regions. All signs are exact.

import type { Sign } from '../../math/exact/orient.ts';
import { cross, dot, fromTo, type Homogeneous, isZero, negate, signOf } from '../../math/exact/rational.ts';
import type { Corners } from '../../math/triangles/triangle-contact.ts';

/** A great-circle arc from u to v, shorter than half a circle; n = u × v. */
interface Arc {
  readonly u: Homogeneous;
  readonly v: Homogeneous;
  readonly n: Homogeneous;
}

/** The directions from a point into a surface. */
interface Link {
  readonly arcs: Arc[];
  /** Directions of segments: triangles without area. */
  readonly points: Homogeneous[];
}

/**
 * Whether, arbitrarily near the point, one of two surfaces has points in two or more regions of the other's complement.
 * `a` and `b` are all triangles of each surface that contain the point.
 */
export function crossesAt(point: Homogeneous, a: readonly Corners[], b: readonly Corners[]): boolean {
  const [linkA, linkB] = [linkAt(point, a), linkAt(point, b)];
  return isDividedBy(linkA, linkB) || isDividedBy(linkB, linkA);
}

function linkAt(point: Homogeneous, triangles: readonly Corners[]): Link {
  const link: Link = { arcs: [], points: [] };
  for (const corners of triangles) addToLink(point, corners, link);
  return link;
}

function addToLink(point: Homogeneous, corners: Corners, link: Link): void {
  const spokes = corners.map(corner => fromTo(point, corner));
  const [a, b, c] = corners;
  if (isZero(cross(fromTo(a, b), fromTo(a, c)))) {
    for (const spoke of spokes) if (!isZero(spoke)) addPoint(link.points, spoke);
    return;
  }
  // If the point is a corner, the link is one arc. On a side, two spokes are opposite, and the link is half a circle:
  // two arcs over the third spoke. Inside, it is a whole circle: three arcs.
  for (let i = 0; i < 3; i++) {
    const [u, v] = [spokes[i], spokes[(i + 1) % 3]];
    const n = cross(u, v);
    if (!isZero(n)) link.arcs.push({ u, v, n });
  }
}

/** The index of a direction in the list. A new direction is appended. */
function addPoint(points: Homogeneous[], direction: Homogeneous): number {
  const at = points.findIndex(other => sameDirection(other, direction));
  return at >= 0 ? at : points.push(direction) - 1;
}

const sameDirection = (u: Homogeneous, v: Homogeneous): boolean => isZero(cross(u, v)) && dot(u, v) > 0n;

function holds({ u, v, n }: Arc, x: Homogeneous): boolean {
  // x = αu + βv has u × x = βn and x × v = αn.
  return dot(n, x) === 0n && dot(cross(u, x), n) >= 0n && dot(cross(x, v), n) >= 0n;
}

/** Whether the first link, where it is not on the second, lies in two or more regions of the second's complement. */
function isDividedBy(link: Link, divider: Link): boolean {
  // Arcs are shorter than half a circle, so fewer than three enclose nothing.
  if (divider.arcs.length < 3) return false;
  const samples: Homogeneous[] = [];
  for (const point of link.points) {
    const onDivider =
      divider.arcs.some(arc => holds(arc, point)) ||
      divider.points.some(other => sameDirection(other, point));
    if (!onDivider) samples.push(point);
  }
  for (const arc of link.arcs) {
    const stops = stopsOn(arc, divider.arcs);
    for (let i = 0; i + 1 < stops.length; i++) {
      const middle = sum(stops[i], stops[i + 1]);
      if (!divider.arcs.some(other => holds(other, middle))) samples.push(middle);
    }
  }
  if (samples.length < 2) return false;
  const graph = graphOf(divider.arcs);
  return samples.some((sample, i) => i > 0 && areSeparated(graph, samples[0], sample));
}

/** The ends of an arc and every point at which another arc meets it, begins or ends on it, in order along the arc. */
function stopsOn(arc: Arc, others: readonly Arc[]): Homogeneous[] {
  const stops: Homogeneous[] = [];
  addPoint(stops, arc.u);
  addPoint(stops, arc.v);
  for (const other of others) {
    if (other === arc) continue;
    const x = cross(arc.n, other.n);
    if (isZero(x)) {
      for (const end of [other.u, other.v]) if (holds(arc, end)) addPoint(stops, end);
      continue;
    }
    for (const point of [x, negate(x)]) if (holds(arc, point) && holds(other, point)) addPoint(stops, point);
  }
  return stops.sort((x, y) => -signOf(dot(cross(x, y), arc.n)));
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
}

function graphOf(arcs: readonly Arc[]): Graph {
  const graph: Graph = { nodes: [], edges: [] };
  for (const arc of arcs) {
    const stops = stopsOn(arc, arcs).map(stop => addPoint(graph.nodes, stop));
    for (let i = 0; i + 1 < stops.length; i++) graph.edges.push([stops[i], stops[i + 1]]);
  }
  return graph;
}

/** Whether a cycle of the graph separates two directions that are not on it. */
function areSeparated(graph: Graph, from: Homogeneous, to: Homogeneous): boolean {
  const legs = pathBetween(graph, from, to);
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
  for (const [i, j] of graph.edges) {
    const crossings = legs.reduce(
      (total, [a, b]) => total ^ crossing(a, b, graph.nodes[i], graph.nodes[j]),
      0,
    );
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
 * 1 if the arcs from a to b and from u to v cross, else 0. u and v must not be on the great circle of a and b, unless
 * they are opposite to a or b. (a × b) × (u × v) = det(a,b,v)·u − det(a,b,u)·v = det(u,v,a)·b − det(u,v,b)·a. So a
 * common direction is a positive combination of both pairs iff the four determinants have these signs. If a or b is on
 * the other's great circle, as it is if u or v is opposite to it, it is not on the arc itself, and the arcs do not
 * cross.
 */
function crossing(a: Homogeneous, b: Homogeneous, u: Homogeneous, v: Homogeneous): 0 | 1 {
  const n = cross(a, b);
  const [su, sv]: Sign[] = [signOf(dot(n, u)), signOf(dot(n, v))];
  if (su === sv) return 0;
  const m = cross(u, v);
  const [sa, sb]: Sign[] = [signOf(dot(m, a)), signOf(dot(m, b))];
  return sa === sv && sb === su ? 1 : 0;
}
