// Something that is read from the GPU once, for all who ask for it.

export class SharedRead<T> {
  readonly #work: () => Promise<T>;
  #reading: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /**
   * Reads it, or waits for whoever reads it already. A read that fails may have been refused before this one was asked for: so
   * one that only waited reads once more, and an error is always about a read that was begun after the question.
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
