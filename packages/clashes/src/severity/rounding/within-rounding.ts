// Could two bodies overlap only because their files round? They could if some change of their vertices, by no more than
// rounding allows, leaves them without common interior. A translation is such a change; the depth of the pair says
// whether one suffices. A window that is wedged in its opening on all sides has no short way out, but need not clash
// either: it fits once its vertices are drawn in by their rounding. Here both bodies, or one, are drawn in
// (drawn-in.ts), and the exact predicates say whether the changed doubles have interior in common. What is not proven
// is not within rounding. docs/exact.md has the definition, and why it never takes a deep overlap for a shallow one.

import {
  type Body,
  type Limits,
  type Mesh,
  mesh,
  type Nearfield,
  NearfieldError,
  type Scene,
} from 'nearfield';
import type { GivenBody } from '../../assembly/types.ts';
import { drawnIn, worldPositions } from './drawn-in.ts';
import { wrongTriangles } from './same-shape.ts';

/**
 * How far a vertex may move, in roundings of its body. Rounding moves a point by one at most. To draw the three faces of a
 * corner at right angles back by one each takes √3 < 2.
 */
export const mostRoundings = 2;
/** How far faces are drawn in, in roundings: one, and a little more, because normals are rounded too; 1.125·√3 < 2. */
const drawnRoundings = 1.125;
/** How often vertices that may not move are left where they are, and the rest tried again. */
const mostRounds = 4;
/** Bodies that are kept drawn in, for the next pairs. */
const mostKept = 2000;

/**
 * How deep two bodies may seem to overlap because their files round, by the length of a translation: each may move by two
 * roundings.
 */
export const roundingOf = (a: Pick<GivenBody, 'rounding'>, b: Pick<GivenBody, 'rounding'>): number =>
  mostRoundings * ((a.rounding ?? 0) + (b.rounding ?? 0));

/** A body in world doubles as it is, and drawn in if that leaves it the same shape. */
interface Changed {
  readonly given: Body;
  readonly drawn: Body | undefined;
}

/** Tells which pairs are within rounding. Keeps bodies in a scene of its own; call `close` in the end. */
export class WithinRounding {
  readonly #nf: Nearfield;
  readonly #another: (() => Promise<Nearfield>) | undefined;
  /** Another library, opened once the first had no memory left. */
  #own: Nearfield | undefined;
  readonly #placed: readonly Body[];
  readonly #given: readonly GivenBody[];
  readonly #limits: Limits;
  #scene: Scene | undefined;
  readonly #changed = new Map<number, Changed>();

  /** `another` opens another library, for pairs that do not fit beside what the first has. */
  constructor(
    nf: Nearfield,
    placed: readonly Body[],
    given: readonly GivenBody[],
    limits: Limits,
    another?: () => Promise<Nearfield>,
  ) {
    this.#nf = nf;
    this.#another = another;
    this.#placed = placed;
    this.#given = given;
    this.#limits = { signal: limits.signal };
  }

  close(): void {
    this.#scene?.close();
    this.#scene = undefined;
    this.#own?.close();
    this.#own = undefined;
    this.#changed.clear();
  }

  /** Whether some change within rounding is proven to leave two bodies, by index, without common interior. */
  async holds(a: number, b: number): Promise<boolean> {
    try {
      return await this.#holds(a, b);
    } catch (error) {
      const isFull = error instanceof NearfieldError && error.code === 'out-of-memory';
      if (!isFull || this.#another === undefined) throw error;
    }
    this.close();
    this.#own = await this.#another!();
    return this.#holds(a, b);
  }

  async #holds(a: number, b: number): Promise<boolean> {
    if (this.#changed.size > mostKept) this.close();
    this.#scene ??= (this.#own ?? this.#nf).scene();
    const [p, q] = [await this.#changedOf(a), await this.#changedOf(b)];
    for (const [first, second] of [
      [p.drawn, q.drawn],
      [p.drawn, q.given],
      [p.given, q.drawn],
    ]) {
      if (first === undefined || second === undefined) continue;
      const deeper = await this.#scene.deeperThan(first, second, 0, { ...this.#limits, effort: 0 });
      if (deeper === 'not-deeper') return true;
    }
    return false;
  }

  async #changedOf(index: number): Promise<Changed> {
    const known = this.#changed.get(index);
    if (known !== undefined) return known;
    const { mesh: own, rounding = 0 } = this.#given[index];
    const before = mesh(worldPositions(own, this.#placed[index].pose), own.indices);
    const given = this.#scene!.add(before);
    const drawn = rounding > 0 ? await this.#drawn(given, before, rounding) : undefined;
    const changed = { given, drawn };
    this.#changed.set(index, changed);
    return changed;
  }

  /** The body drawn in, as far as that leaves it the same shape. Undefined if it cannot be drawn in at all. */
  async #drawn(given: Body, before: Mesh, rounding: number): Promise<Body | undefined> {
    const scene = this.#scene!;
    const stays = new Set<number>();
    const contactsOf = async (body: Body) => (await scene.selfIntersections(body, this.#limits)).triangles;
    for (let round = 0; round < mostRounds; round++) {
      const positions = drawnIn(before, drawnRoundings * rounding, mostRoundings * rounding, stays);
      const after = mesh(positions, before.indices);
      const body = scene.add(after);
      const wrong = await wrongTriangles(
        ...([before, after, () => contactsOf(given), () => contactsOf(body)] as const),
      );
      if (wrong.size === 0) return after.solid === before.solid ? body : undefined;
      scene.remove(body);
      for (const t of wrong)
        for (let k = 3 * t; k < 3 * t + 3; k++) stays.add(before.adjacency.vertexOf[before.indices[k]]);
      if (stays.size >= before.adjacency.positionCount) return undefined;
    }
    return undefined;
  }
}
