// A rabbit of 35,000 triangles falls on a dragon of 112,000 (the scene of Govindaraju, Lin and Manocha, section 5.1).
// The dragon breaks into a few dozen parts, which break again as they strike the floor and one another, until
// hundreds of closed pieces lie in a heap. The triangles of the pieces are those of the dragon and of the cuts.

import { type Body, type Mesh, mesh, type Nearfield, type Scene, shapes } from 'nearfield';
import { bunny } from '../creatures/bunny.ts';
import { dragon } from '../creatures/dragon.ts';
import { unitAt } from '../elementary.ts';
import { length, plus, poseOf, rotate, times, type Vector } from '../rigid/vector.ts';
import { type Found, find, type Moving, type Part } from '../sample.ts';
import { Vertices } from './cut.ts';
import { Debris } from './debris.ts';
import { type Fracture, type Fragment, fracture, lastPieces, meshOf } from './fracture.ts';
import { bulkOf, hullsOf } from './hulls.ts';
import { Piece } from './piece.ts';
import { welded } from './welded.ts';

export interface BreakingOptions {
  /** Approximate triangles of the body that breaks and of the body that falls on it, where they are generated. */
  readonly triangles?: number;
  readonly fallingTriangles?: number;
  /**
   * A solid that breaks in place of the generated dragon: about 2.5 m tall, on the floor z = 0, its middle above the
   * origin.
   */
  readonly model?: Mesh;
  /** A solid that falls in place of the generated rabbit, about 1.5 m tall. */
  readonly fallingModel?: Mesh;
  /** The approximate number of pieces it can break into. */
  readonly pieces?: number;
  readonly seed?: number;
}

const usualStep = 1 / 60;
/** Size and weight of the rabbit relative to the dragon. */
const fallingScale = 0.72;
const density = { falling: 4000, breaking: 1000 };
/** The height of its fall, and its initial speed. */
const [drop, fallingSpeed] = [1, 3];
/** If struck faster than this, a part breaks; if twice as fast, its parts break too. */
const breakingSpeed = 1.7;

/**
 * As cracks open, parts move away from the middle by this share of their distance from it. Two parts on the sides of
 * a plane each move to their own side, so there is a gap between all of them at once.
 */
const opening = 0.006;

export function createBreaking(nf: Nearfield, options: BreakingOptions = {}): Moving {
  const { triangles = 112_000, fallingTriangles = 35_000, pieces = 340, seed = 1 } = options;
  const random = shapes.createRandom(seed);
  const { model, fallingModel } = options;
  const whole = model ? welded(model) : dragon({ triangles, seed });
  const above = fallingModel ? welded(fallingModel) : bunny({ triangles: fallingTriangles, seed: seed + 1 });
  const falling = createFalling(above, whole, random);
  const broken = fracture(whole, { pieces, struck: falling.struck, reach: 0.75, random });
  const scene = nf.scene();
  const faller = new Shard(scene, 'rabbit', falling.mesh, falling.piece);
  const standing = scene.add(whole, { name: 'dragon' });
  const debris = new Debris();
  let shards: Shard[] = [];
  let [steps, time, made] = [0, 0, 0];

  /** A fragment as it separates from its parent. */
  const loosen = (fragment: Fragment, move: Motion): Shard => {
    const bulk = bulkOf(broken.vertices, fragment.triangles);
    const mass = Math.max(density.breaking * bulk.volume, 1e-6);
    const offset = rotate(move.orientation, times(plus(bulk.middle, move.middle, -1), 1 + opening));
    const piece = new Piece({
      mass,
      inertia: mass * Math.max((2 / 3) * bulk.spread, 1e-6),
      position: plus(move.position, offset),
      orientation: move.orientation,
      velocity: plus(move.velocityAt(offset), random.direction(), 0.08),
      turning: plus(move.turning, random.direction(), random.between(0, 0.8)),
      hulls: hullsOf(broken.vertices, fragment, bulk.middle),
    });
    return new Shard(scene, `piece ${++made}`, meshOf(broken, fragment, bulk.middle), piece, {
      fragment,
      middle: bulk.middle,
    });
  };

  const strike = (): void => {
    scene.remove(standing);
    const atRest: Motion = {
      ...{ middle: falling.struck, position: falling.struck, orientation: [0, 0, 0, 1], turning: [0, 0, 0] },
      velocityAt: () => [0, 0, 0],
    };
    for (const fragment of partsWhenStruck(broken, broken.whole, falling.struck)) {
      const shard = loosen(fragment, atRest);
      // Driven outwards from the point of impact, less with distance.
      const away = plus(shard.piece.position, falling.struck, -1);
      const distance = length(away);
      const speed = random.between(0.6, 1.6) / (0.3 + distance * distance);
      shard.piece.velocity = plus(shard.piece.velocity, times(away, 1 / Math.max(distance, 0.05)), speed);
      shards.push(shard);
    }
  };

  const breakFurther = (): void => {
    shards = shards.flatMap(shard => {
      const depth = Math.floor(shard.piece.struck / breakingSpeed);
      const { origin } = shard;
      if (depth === 0 || !origin || origin.fragment.children.length === 0) return [shard];
      scene.remove(shard.body);
      const { position, orientation, turning } = shard.piece;
      const move = {
        ...{ middle: origin.middle, position, orientation, turning },
        velocityAt: (offset: Vector) => shard.piece.velocityAt(offset),
      };
      return partsAtDepth(origin.fragment, depth).map(fragment => loosen(fragment, move));
    });
  };

  const advance = (dt = usualStep): void => {
    if (shards.length === 0) {
      faller.piece.velocity = plus(faller.piece.velocity, [0, 0, -9.81], dt);
      faller.piece.position = plus(faller.piece.position, faller.piece.velocity, dt);
      if (faller.piece.position[2] <= falling.heightWhenStriking) strike();
    } else {
      debris.advance([faller.piece, ...shards.map(({ piece }) => piece)], dt);
      breakFurther();
    }
    for (const shard of [faller, ...shards]) shard.place();
    time += dt;
    steps++;
  };
  return {
    name: 'breaking',
    scene,
    get bodies(): readonly Body[] {
      return scene.bodies;
    },
    advance,
    async step(dt?: number): Promise<Found> {
      advance(dt);
      return find(scene, { step: steps, time });
    },
    parts: (): Part[] => scene.bodies.map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    close: () => scene.close(),
  };
}

/** The motion of the body that parts separate from. */
interface Motion {
  /** The reference point of the dragon, its position, and the orientation. */
  readonly middle: Vector;
  readonly position: Vector;
  readonly orientation: Piece['orientation'];
  readonly turning: Vector;
  velocityAt(offset: Vector): Vector;
}

/** A piece with its body. */
class Shard {
  readonly body: Body;
  readonly piece: Piece;
  readonly origin: { readonly fragment: Fragment; readonly middle: Vector } | undefined;
  constructor(scene: Scene, name: string, shape: Mesh, piece: Piece, origin?: Shard['origin']) {
    this.piece = piece;
    this.origin = origin;
    this.body = scene.add(shape, { name, pose: poseOf(piece.orientation, piece.position) });
  }
  place(): void {
    this.body.pose = poseOf(this.piece.orientation, this.piece.position);
  }
}

/** Near the impact it breaks into its last pieces at once; farther away into larger and larger parts. */
function partsWhenStruck(broken: Fracture, fragment: Fragment, struck: Vector): Fragment[] {
  const { middle } = bulkOf(broken.vertices, fragment.triangles);
  const distance = length(plus(middle, struck, -1));
  const most = 1 + 8 * Math.max(0, distance - 0.3);
  if (fragment.children.length === 0 || lastPieces(fragment).length <= most) return [fragment];
  return fragment.children.flatMap(child => partsWhenStruck(broken, child, struck));
}

function partsAtDepth(fragment: Fragment, depth: number): readonly Fragment[] {
  if (depth === 0 || fragment.children.length === 0) return [fragment];
  return fragment.children.flatMap(child => partsAtDepth(child, depth - 1));
}

interface Falling {
  readonly mesh: Mesh;
  readonly piece: Piece;
  /** The point of impact, and the height of its middle at that time. */
  readonly struck: Vector;
  readonly heightWhenStriking: number;
}

/** Falls straight down onto the back. */
function createFalling(model: Mesh, target: Mesh, random: shapes.Random): Falling {
  const shape = leaning(model);
  // Divided as if it broke too, to get hulls that fill it.
  const parts = fracture(shape, { pieces: 40, struck: [0, 0, 0], reach: 10, random });
  const bulk = bulkOf(parts.vertices, shape.indices);
  const hulls = hullsOf(parts.vertices, parts.whole, [0, 0, 0]);
  const [x, y] = [0.02, 0.02];
  const { height, struck } = heightAbove(target, shape, x, y);
  const mass = density.falling * bulk.volume;
  const piece = new Piece({
    mass,
    inertia: mass * (2 / 3) * bulk.spread,
    position: [x, y, height + drop],
    velocity: [0, 0, -fallingSpeed],
    turning: [0.3, 1.2, 0.2],
    hulls,
  });
  return { mesh: shape, piece, struck, heightWhenStriking: height };
}

/** Smaller, about its middle, tilted back a little. */
function leaning({ positions, indices }: Mesh): Mesh {
  const { middle } = bulkOf(new Vertices(positions), indices);
  const [cos, sin] = unitAt(0.5);
  const placed = new Float64Array(positions.length);
  for (let i = 0; i < placed.length; i += 3) {
    const [x, y, z] = [0, 1, 2].map(k => fallingScale * (positions[i + k] - middle[k]));
    placed.set([cos * x - sin * z, y, sin * x + cos * z], i);
  }
  return mesh(placed, indices);
}

/**
 * The height of a body's middle when, lowered at x and y, it meets a vertex of the target, and that vertex. Both are
 * sorted into columns: the highest vertices of one and the lowest of the other.
 */
function heightAbove(
  target: Mesh,
  { positions }: Mesh,
  x: number,
  y: number,
): { height: number; struck: Vector } {
  const width = 0.03;
  const columnOf = (px: number, py: number): string => `${Math.floor(px / width)},${Math.floor(py / width)}`;
  const lowest = new Map<string, number>();
  for (let i = 0; i < positions.length; i += 3) {
    const column = columnOf(positions[i] + x, positions[i + 1] + y);
    lowest.set(column, Math.min(lowest.get(column) ?? Infinity, positions[i + 2]));
  }
  let [height, struck]: [number, Vector] = [0, [x, y, 0]];
  const { positions: p } = target;
  for (let i = 0; i < p.length; i += 3) {
    const low = lowest.get(columnOf(p[i], p[i + 1]));
    if (low !== undefined && p[i + 2] - low > height) {
      [height, struck] = [p[i + 2] - low, [p[i], p[i + 1], p[i + 2]]];
    }
  }
  return { height, struck };
}
