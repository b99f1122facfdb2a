// The time of a system of particles and the order of its questions: they are answered one after the other, and a seek
// takes effect after the questions asked before it and ahead of those asked after it.

interface Seek {
  /** The last question that was asked before it. */
  readonly after: number;
  readonly time: number;
  readonly lookAhead: number;
}

export class Timeline {
  /** The time from which the next window continues, and how far windows look ahead, in seconds. */
  time = 0;
  #lookAhead = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #asked = 0;
  #seeks: Seek[] = [];

  /** Whether a question is being answered or waits for its turn. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** How far the next question looks ahead, after all seeks so far. */
  get nextLookAhead(): number {
    return this.#seeks.at(-1)?.lookAhead ?? this.#lookAhead;
  }

  ahead(time: number): number {
    return time + this.#lookAhead;
  }

  seek(time: number, lookAhead: number): void {
    if (this.isBusy) {
      this.#seeks.push({ after: this.#asked, time, lookAhead });
      return;
    }
    this.time = time;
    this.#lookAhead = lookAhead;
  }

  /** Works on a question when those before it have been answered or given up. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const question = ++this.#asked;
    const mine = this.#turn.then(work, work).finally(() => {
      this.#waiting--;
      this.#seekAfter(question);
    });
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** After a question was answered or given up: applies the seeks that came before the next question. */
  #seekAfter(question: number): void {
    for (let next = this.#seeks[0]; next !== undefined && next.after <= question; next = this.#seeks[0]) {
      this.time = next.time;
      this.#lookAhead = next.lookAhead;
      this.#seeks.shift();
    }
  }
}
