// A read-back from the GPU that runs once and is shared by all callers.

export class SharedRead<T> {
  readonly #work: () => Promise<T>;
  #reading: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /**
   * Starts the read, or waits for one already under way. If the one under way fails, this call reads once more: the
   * failure may have happened before this call was made, and an error must be about a read that began after the call.
   */
  read(): Promise<T> {
    return this.#reading?.catch(() => this.#reading ?? this.#begin()) ?? this.#begin();
  }

  #begin(): Promise<T> {
    const reading = this.#work().catch(error => {
      this.#reading = undefined;
      throw error;
    });
    this.#reading = reading;
    return reading;
  }
}
