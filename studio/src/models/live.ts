// Asks while things move. A drag never queues: while one question is under way, what moves meanwhile is asked next, all at once; any
// other change takes the place of what is asked. First who meets; then, when all is still, how deep and how far.

import type { BodyId, DepthData, PairRow } from '../engine/types.ts';
import type { StudioDocument } from '../state/document.ts';
import type { Studio } from '../studio.ts';

/** How long a depth may take: it is shown as bounds, closer with more time. */
const depthTime = 300;
/** A bracket wider than this says little: it is measured again, for longer, once every pair has one. */
const wideBracket = 1.1;

interface Asked {
  readonly document: StudioDocument;
  readonly revision: number;
  /** By a hand that moves a body. */
  readonly isDrag: boolean;
}

export class Live {
  rows: readonly PairRow[] = [];
  /** Milliseconds that the last answer took. */
  time: number | undefined;
  backend: 'cpu' | 'gpu' = 'cpu';
  /** Of pairs that cross, by `keyOf`. */
  depths = new Map<string, DepthData>();
  /** Of the document that the rows are of. */
  revision = -1;
  #chosen: string | undefined;
  readonly #studio: Studio;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  /** What is being asked about. */
  #asking: Asked | undefined;
  #asked = -1;
  #closed = false;
  /** Poses of the last whole answer: what has moved since is all that is asked about. */
  #answered: StudioDocument | undefined;
  /** Whether the list is not of what is there now, since the question was cancelled or failed. */
  isOld = false;

  constructor(studio: Studio) {
    this.#studio = studio;
    this.#stop = studio.store.listen(() => this.ask());
  }

  /** The pair that is looked at, while both its bodies are there. */
  get chosen(): PairRow | undefined {
    const { bodies } = this.#studio.store.document;
    const isThere = (id: BodyId) => bodies.some(body => body.id === id);
    return this.rows.find(row => keyOf(row) === this.#chosen && isThere(row.a) && isThere(row.b));
  }
  /** The two bodies that are looked at; undefined: all. */
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

  /** Asks about the document as it is now, unless that has been done; `anew` also where it has. */
  ask(anew = false): void {
    const { store, viewer, work } = this.#studio;
    if (this.#closed || (store.revision === this.#asked && !anew)) return;
    const { document, revision } = store;
    const { isDragging: isDrag } = viewer.gizmo;
    const asking = this.#asking;
    const since = asking && movedSince(asking.document, document);
    // The question under way tells something while a hand moves on; the last one, when it lets go, is not kept waiting.
    if (since && (since.length === 0 || (isDrag && asking.isDrag))) return;
    this.#asked = revision;
    if (movedSince(this.#answered, document)?.length === 0) {
      // A name, a colour, or back where they were: bodies meet as they did.
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
    // The worker measures them, and may be needed now.
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

  /** Depths of solids that cross, the first of the list first. */
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
            // An open mesh has no depth: the list says so by leaving it out.
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

/** The bodies that moved between two documents that are the same otherwise; undefined where they are not. */
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
