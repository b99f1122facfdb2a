// The document and its history. Changes have a name and can be undone and redone. The changes of one drag are one.

import type { BodyId } from '../engine/types.ts';
import { emptyDocument, type StudioDocument } from './document.ts';

interface Step {
  readonly label: string;
  readonly document: StudioDocument;
}

/** The number of changes that can be undone. */
const longest = 200;

export class Store {
  #past: Step[] = [];
  #now: Step = { label: '', document: emptyDocument };
  #future: Step[] = [];
  /** The drag or key press of the last change. The next change of the same one replaces it. */
  #merging: unknown;
  #selection: readonly BodyId[] = [];
  readonly #listeners = new Set<() => void>();
  /** Grows with every change of the document. */
  revision = 0;

  get document(): StudioDocument {
    return this.#now.document;
  }
  get undoLabel(): string | undefined {
    return this.#past.length > 0 ? this.#now.label : undefined;
  }
  get redoLabel(): string | undefined {
    return this.#future.at(-1)?.label;
  }
  /** The body that was selected last. */
  get selected(): BodyId | undefined {
    return this.selection.at(-1);
  }
  /** All selected bodies, in the order in which they were selected. */
  get selection(): readonly BodyId[] {
    if (this.#selection.length === 0) return this.#selection;
    const there = new Set(this.document.bodies.map(({ id }) => id));
    return this.#selection.filter(id => there.has(id));
  }

  /** A change with the same `merge` as the one before is undone together with it. */
  change(label: string, document: StudioDocument, merge?: unknown): void {
    if (merge === undefined || merge !== this.#merging) {
      this.#past.push(this.#now);
      if (this.#past.length > longest) this.#past.shift();
    }
    this.#merging = merge;
    this.#future = [];
    this.#now = { label, document };
    this.#tell(true);
  }

  undo(): void {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.#now);
    this.#now = before;
    this.#merging = undefined;
    this.#tell(true);
  }

  redo(): void {
    const after = this.#future.pop();
    if (after === undefined) return;
    this.#past.push(this.#now);
    this.#now = after;
    this.#merging = undefined;
    this.#tell(true);
  }

  /** Not a change of the document: it cannot be undone. */
  select(...ids: readonly (BodyId | undefined)[]): void {
    const next = ids.filter(id => id !== undefined);
    if (next.length === this.#selection.length && next.every((id, i) => id === this.#selection[i])) return;
    this.#selection = next;
    this.#tell(false);
  }

  /** Adds a body to the selection, or takes it away. */
  toggle(id: BodyId): void {
    const rest = this.selection.filter(each => each !== id);
    this.select(...rest, ...(rest.length === this.selection.length ? [id] : []));
  }

  /** Begins anew with a document, without a history. */
  reset(document: StudioDocument): void {
    this.#past = [];
    this.#future = [];
    this.#merging = undefined;
    this.#now = { label: '', document };
    this.#tell(true);
  }

  /** Every body that undo or redo could bring back. */
  reachable(): Set<BodyId> {
    const steps = [...this.#past, this.#now, ...this.#future];
    return new Set(steps.flatMap(({ document }) => document.bodies.map(({ id }) => id)));
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(changed: boolean): void {
    if (changed) this.revision++;
    for (const listener of this.#listeners) listener();
  }
}
