// What every question takes: a way to cancel it, and to hear how far it is.

export interface Limits {
  /**
   * Cancels the question, which then rejects with the signal's reason. Looked at when the question is asked, and whenever the
   * work lets others run: every few milliseconds on the CPU, between dispatches on a GPU. Building a tree is one piece.
   * Questions that end in `Sync` let nobody run and cannot be cancelled on the way.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called with the share done, 0 to 1, at the same places. */
  readonly progress?: ((done: number) => void) | undefined;
}
