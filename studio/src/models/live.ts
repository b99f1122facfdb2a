// Asks while bodies move. A drag never queues: while one question is pending, all moves since are asked together
// next. Any other change cancels the pending question. First it asks which bodies meet; then, when nothing moves, how
// deep: what somebody looks at first.

import { renderStatuses, type Status, type Statuses } from '@nearfield/clashes';
import type { NamedSet } from '../engine/review/types.ts';
import type { BodyId } from '../engine/types.ts';
import { assemblyOf, type StudioDocument } from '../state/document.ts';
import type { Services } from '../studio.ts';
import { known, type PairRow, PairTable } from './table.ts';

/** Depths are measured so many at a time, so that what is looked at next does not wait. */
const atOnce = 64;
/** The order of this many of the deepest becomes certain. */
const certain = 100;

interface Asked {
  readonly document: StudioDocument;
  readonly revision: number;
  /** True while the user drags a body. */
  readonly isDrag: boolean;
}

interface Two {
  readonly a: BodyId;
  readonly b: BodyId;
}

export class Live {
  table: PairTable | undefined;
  /** Milliseconds of the last answer. */
  time: number | undefined;
  backend: 'cpu' | 'gpu' = 'cpu';
  /** The names of the tests of the rules. */
  tests: readonly string[] = [];
  /** The sets of the rules. */
  sets: readonly NamedSet[] = [];
  /** What the user should know about rules and statuses. */
  notes: readonly string[] = [];
  /** The document that the rows belong to. */
  revision = -1;
  #chosen: Two | undefined;
  readonly #studio: Services;
  readonly #listeners = new Set<() => void>();
  /** The document of the pending question. */
  #asking: Asked | undefined;
  #asked = -1;
  /** The document of the last complete answer. */
  #answered: StudioDocument | undefined;
  #statuses: Statuses | undefined;
  #statusNotes: readonly string[] = [];
  #ruleNotes: readonly string[] = [];
  /** Rows that somebody looks at. */
  #looked: readonly number[] = [];
  /** The table that is being measured. */
  #measuring: PairTable | undefined;
  /** Whether the list is outdated because the question was cancelled or failed. */
  isOld = false;

  constructor(studio: Services) {
    this.#studio = studio;
    studio.store.listen(() => this.ask());
  }

  /** The number of rows. */
  get count(): number {
    return this.table?.count ?? 0;
  }

  /** The chosen pair, while both its bodies exist. */
  get chosen(): PairRow | undefined {
    const [two, table] = [this.#chosen, this.table];
    if (two === undefined || table === undefined) return undefined;
    const there = new Set(this.#studio.store.document.bodies.map(({ id }) => id));
    const row = there.has(two.a) && there.has(two.b) ? table.find(two.a, two.b) : -1;
    return row < 0 ? undefined : table.row(row);
  }
  /** The two bodies to show; undefined for all. */
  get chosenBodies(): readonly BodyId[] | undefined {
    const { chosen } = this;
    return chosen && [chosen.a, chosen.b];
  }

  choose(two: Two | undefined): void {
    this.#chosen = two && { a: two.a, b: two.b };
    this.#tell();
    this.#startMeasuring();
  }

  /** Says which rows are in sight: they are measured first. */
  look(rows: readonly number[]): void {
    this.#looked = rows;
    this.#startMeasuring();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks about the current document, unless that has been answered. `anew` asks in any case. */
  ask(anew = false): void {
    const { store, viewer, work } = this.#studio;
    if (store.revision === this.#asked && !anew) return;
    const { document, revision } = store;
    const { isDragging: isDrag } = viewer.gizmo;
    const asking = this.#asking;
    const since = asking && movedSince(asking.document, document);
    // During a drag the pending question still helps; the final one, after the drag, must not wait for it.
    if (since && !anew && (since.length === 0 || (isDrag && asking.isDrag))) return;
    this.#asked = revision;
    if (!anew && movedSince(this.#answered, document)?.length === 0) {
      // Only a name, a colour or a status changed, or poses are back where they were: the same bodies meet.
      work.cancel('pairs');
      this.#asking = undefined;
      this.#answered = document;
      this.revision = revision;
      this.isOld = false;
      this.#tell();
      void this.#applyStatuses();
      return;
    }
    const now = { document, revision, isDrag };
    this.#asking = now;
    void this.#ask(now).finally(() => {
      if (this.#asking !== now) return;
      this.#asking = undefined;
      this.ask();
      if (!viewer.gizmo.isDragging) this.#startMeasuring();
    });
  }

  async #ask(asked: Asked): Promise<void> {
    const { document, revision } = asked;
    const { store, work, pairs } = this.#studio;
    // Depths occupy the worker, which may be needed now.
    work.cancel('depths');
    const assembly = assemblyOf(document);
    const answer = await work.run('pairs', 'Looking for pairs', limits => pairs.ask({ assembly }, limits));
    if (this.#asking !== asked || movedSince(document, store.document) === undefined) return;
    this.isOld = answer === undefined;
    if (answer !== undefined) {
      this.table = new PairTable(answer);
      this.#looked = [];
      this.#answered = document;
      this.time = answer.time;
      this.backend = answer.backend;
      this.tests = answer.tests;
      this.sets = answer.sets;
      this.#ruleNotes = answer.notes;
      this.revision = revision;
      this.#statuses = undefined;
      await this.#applyStatuses();
    }
    this.#tell();
  }

  /** Verdicts and statuses after what people have said. */
  async #applyStatuses(): Promise<void> {
    const { store, tasks, work } = this.#studio;
    const { table } = this;
    const { statuses } = store.document;
    if (table === undefined || statuses === this.#statuses) return;
    this.#statuses = statuses;
    this.#statusNotes = [];
    const byRow = new Map<number, Status>();
    if (statuses.clashes.size > 0) {
      const question = { serial: table.serial, text: renderStatuses(statuses) };
      const applied = await work.run('statuses', 'Applying statuses', () => tasks.statuses(question));
      if (applied === undefined || this.table !== table || this.#statuses !== statuses) return;
      table.verdicts.set(table.columns.verdicts);
      for (const [i, row] of applied.rows.entries()) {
        table.verdicts[row] = applied.verdicts[i];
        byRow.set(row, statuses.clashes.get(table.row(row).clash)!.status);
      }
      this.#statusNotes = applied.notes;
    } else table.verdicts.set(table.columns.verdicts);
    table.statuses = byRow;
    this.#tell();
  }

  #startMeasuring(): void {
    const { table } = this;
    if (table === undefined || this.#measuring === table || this.isOld || this.#asking) return;
    if (this.#nextRows(table) === undefined) return;
    this.#measuring = table;
    void this.#measure(table).finally(() => {
      if (this.#measuring === table) this.#measuring = undefined;
    });
  }

  /** Which rows are measured next: the chosen one, those in sight, all others, then the deepest until they are in order. */
  #nextRows(table: PairTable): { rows: readonly number[]; certain: number } | undefined {
    const { chosen } = this;
    if (chosen && table.state[chosen.row] !== known.well) return { rows: [chosen.row], certain: 1 };
    const looked = this.#looked.filter(row => table.state[row] !== known.well).slice(0, 16);
    if (looked.length > 0) return { rows: looked, certain: looked.length };
    const rest = table.unmeasured(atOnce);
    if (rest.length > 0) return { rows: rest, certain: 0 };
    const first = table.contenders(certain);
    return first.length > 0 ? { rows: first, certain } : undefined;
  }

  async #measure(table: PairTable): Promise<void> {
    const { work, tasks } = this.#studio;
    await work.run('depths', 'Measuring depths', async ({ signal, progress }) => {
      for (;;) {
        const next = this.#nextRows(table);
        if (next === undefined) break;
        const { rows, certain } = next;
        const measured = await tasks.measure(
          { serial: table.serial, rows: Uint32Array.from(rows), certain },
          { signal },
        );
        if (measured === undefined || this.table !== table) return;
        table.take(measured, certain > 0);
        progress?.(table.measured);
        // What was accepted up to a depth may be deeper.
        this.#statuses = undefined;
        await this.#applyStatuses();
        this.#tell();
      }
    });
  }

  #tell(): void {
    this.notes = [...this.#ruleNotes, ...this.#statusNotes];
    document.body.dataset['revision'] = String(this.revision);
    for (const listener of this.#listeners) listener();
  }
}

/**
 * The bodies that moved between two documents that are otherwise equal; undefined if the documents differ otherwise.
 */
function movedSince(before: StudioDocument | undefined, now: StudioDocument): readonly BodyId[] | undefined {
  if (before === undefined || before.bodies.length !== now.bodies.length) return undefined;
  if (before.clearance !== now.clearance || before.tolerance !== now.tolerance) return undefined;
  if (before.rules !== now.rules || before.unit !== now.unit) return undefined;
  const moved: BodyId[] = [];
  for (const [i, body] of now.bodies.entries()) {
    if (before.bodies[i].id !== body.id) return undefined;
    // Rules may go by names.
    if (now.rules && before.bodies[i].name !== body.name) return undefined;
    if (before.bodies[i].pose !== body.pose) moved.push(body.id);
  }
  return moved;
}
