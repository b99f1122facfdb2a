// Something on a device that few questions need: it is created, and its code may be loaded, when it is first asked for.

/** What can be created on demand. */
interface Destroyable {
  destroy(): void;
}

export class OnDemand<P extends Destroyable> {
  readonly #create: () => Promise<P>;
  #made: Promise<P> | undefined;

  constructor(create: () => Promise<P>) {
    this.#create = create;
  }

  /** It is created once. A failure is not kept: the next call tries again. */
  get(): Promise<P> {
    if (this.#made === undefined) {
      this.#made = this.#create();
      this.#made.catch(() => {
        this.#made = undefined;
      });
    }
    return this.#made;
  }

  /** Destroys it as soon as it has been created, if it was asked for. */
  destroy(): void {
    this.#made?.then(
      part => part.destroy(),
      () => {},
    );
  }
}
