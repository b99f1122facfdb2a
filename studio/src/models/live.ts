// Asks while bodies move. A drag never queues: while one question is pending, all moves since are asked together
// next. Any other change cancels the pending question. First it asks which bodies meet; then, when nothing moves, how
// deep and how far.

import type { BodyId, DepthData, PairRow } from '../engine/types.ts';
import type { StudioDocument } from '../state/document.ts';
import type { Studio } from '../studio.ts';

/** Time limit for a depth, which is shown as bounds; more time gives closer bounds. */
const depthTime = 300;
/** A bracket wider than this says little. It is measured again, for longer, once every pair has one. */
const wideBracket = 1.1;

interface Asked {
  readonly document: StudioDocument;
  readonly revision: number;
  /** True while the user drags a body. */
  readonly isDrag: boolean;
}

export class Live {
  rows: readonly PairRow[] = [];
  /** Milliseconds of the last answer. */
  time: number | undefined;
  backend: 'cpu' | 'gpu' = 'cpu';
  /** Depths of crossing pairs, by `keyOf`. */
  depths = new Map<string, DepthData>();
  /** The document that the rows belong to. */
  revision = -1;
  #chosen: string | undefined;
  readonly #studio: Studio;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  /** The document of the pending question. */
  #asking: Asked | undefined;
  #asked = -1;
  #closed = false;
  /** Poses of the last complete answer: only bodies that moved since are asked about. */
  #answered: StudioDocument | undefined;
  /** Whether the list is outdated because the question was cancelled or failed. */
  isOld = false;

  constructor(studio: Studio) {
    this.#studio = studio;
    this.#stop = studio.store.listen(() => this.ask());
  }

  /** The selected pair, while both its bodies exist. */
  get chosen(): PairRow | undefined {
    const { bodies } = this.#studio.store.document;
    const isThere = (id: BodyId) => bodies.some(body => body.id === id);
    return this.rows.find(row => keyOf(row) === this.#chosen && isThere(row.a) && isThere(row.b));
  }
  /** The two bodies to show; undefined for all. */
  get chosenBodies(): readonly BodyId[] | undefined {
    const { chosen } = this;
    return chosen && [chosen.a, chosen.b];
  }

  choose(row: PairRow | undefined): void {
    this.#chosen = row && keyOf(row);
    this.#tell();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#listeners.clear();
  }

  /** Asks about the current document, unless that has been answered. `anew` asks in any case. */
  ask(anew = false): void {
    const { store, viewer, work } = this.#studio;
    if (this.#closed || (store.revision === this.#asked && !anew)) return;
    const { document, revision } = store;
    const { isDragging: isDrag } = viewer.gizmo;
    const asking = this.#asking;
    const since = asking && movedSince(asking.document, document);
    // During a drag the pending question still helps; the final one, after the drag, must not wait for it.
    if (since && (since.length === 0 || (isDrag && asking.isDrag))) return;
    this.#asked = revision;
    if (movedSince(this.#answered, document)?.length === 0) {
      // Only a name or a colour changed, or poses are back where they were: the same bodies meet.
      work.cancel('pairs');
      this.#asking = undefined;
      this.#answered = document;
      this.revision = revision;
      this.isOld = false;
      this.#tell();
      return;
    }
    const now = { document, revision, isDrag };
    this.#asking = now;
    void this.#ask(now).finally(() => {
      if (this.#asking !== now) return;
      this.#asking = undefined;
      this.ask();
    });
  }

  async #ask(asked: Asked): Promise<void> {
    const { document, revision } = asked;
    const { store, work, pairs, viewer } = this.#studio;
    // Depths occupy the worker, which may be needed now.
    work.cancel('depths');
    const { clearance } = document;
    const placed = document.bodies.map(({ id, pose }) => ({ id, pose }));
    const only = movedSince(this.#answered, document);
    const question = { placed, clearance, triangles: true, only };
    const answer = await work.run('pairs', 'Looking for pairs', limits => pairs.ask(question, limits));
    if (this.#asking !== asked || movedSince(document, store.document) === undefined) return;
    this.isOld = answer === undefined;
    if (answer !== undefined) {
      const kept = only ? this.rows.filter(({ a, b }) => !only.includes(a) && !only.includes(b)) : [];
      this.rows = inOrder([...kept, ...answer.rows], document);
      this.#answered = document;
      this.time = answer.time;
      this.backend = answer.backend;
      this.revision = revision;
      const keys = new Set(this.rows.map(keyOf));
      const moved = (key: string) => only?.some(id => key.split(' ').includes(String(id))) ?? true;
      for (const key of this.depths.keys()) if (!keys.has(key) || moved(key)) this.depths.delete(key);
    }
    this.#tell();
    if (answer !== undefined && store.revision === revision && !viewer.gizmo.isDragging) {
      void this.#measure(document);
    }
  }

  /** Depths of solids that cross, in the order of the list. */
  async #measure(document: StudioDocument): Promise<void> {
    const { store, work, tasks } = this.#studio;
    const poses = new Map(document.bodies.map(({ id, pose }) => [id, pose]));
    const wanted = this.rows.filter(row => hasDepth.has(row.relation) && !this.depths.has(keyOf(row)));
    await work.run('depths', 'Measuring depths', async ({ signal, progress }) => {
      const measure = async (rows: typeof wanted, timeLimit: number): Promise<boolean> => {
        for (const [i, row] of rows.entries()) {
          if (movedSince(document, store.document)?.length !== 0 || signal?.aborted) return false;
          progress?.(i / rows.length);
          const [a, b] = [row.a, row.b].map(id => ({ id, pose: poses.get(id)! }));
          try {
            this.depths.set(keyOf(row), await tasks.depth({ a, b, timeLimit }, { signal }));
          } catch (error) {
            // An open mesh has no depth; the list leaves it out.
            if ((error as { code?: string }).code !== 'not-solid') throw error;
          }
          this.#tell();
        }
        return true;
      };
      if (!(await measure(wanted, depthTime))) return;
      const isWide = (row: PairRow): boolean => {
        const depth = this.depths.get(keyOf(row));
        return depth !== undefined && depth.upper > wideBracket * depth.lower;
      };
      await measure(wanted.filter(isWide), 10 * depthTime);
    });
  }

  #tell(): void {
    document.body.dataset['revision'] = String(this.revision);
    for (const listener of this.#listeners) listener();
  }
}

export const keyOf = ({ a, b }: Pick<PairRow, 'a' | 'b'>): string => `${a} ${b}`;

const hasDepth = new Set(['crossing', 'inside', 'contains', 'coincident']);

/**
 * The bodies that moved between two documents that are otherwise equal; undefined if the documents differ otherwise.
 */
function movedSince(before: StudioDocument | undefined, now: StudioDocument): readonly BodyId[] | undefined {
  if (before === undefined || before.clearance !== now.clearance) return undefined;
  if (before.bodies.length !== now.bodies.length) return undefined;
  const moved: BodyId[] = [];
  for (const [i, body] of now.bodies.entries()) {
    if (before.bodies[i].id !== body.id) return undefined;
    if (before.bodies[i].pose !== body.pose) moved.push(body.id);
  }
  return moved;
}

function inOrder(rows: PairRow[], { bodies }: StudioDocument): PairRow[] {
  const order = new Map(bodies.map(({ id }, i) => [id, i]));
  return rows.sort((p, q) => order.get(p.a)! - order.get(q.a)! || order.get(p.b)! - order.get(q.b)!);
}
