import { type FeedInput, type FeedLine, linesOf } from './feed-input.ts';

/** Reads an input again, next to its report: both are in the same order. */
export class OriginalLines {
  readonly #lines: AsyncGenerator<FeedLine, void, undefined>;
  #next = 0;

  constructor(input: FeedInput) {
    const lines = linesOf(input);
    this.#lines = (async function* () {
      yield* lines;
    })();
  }

  /** Returns the line at a place that is not before an earlier one; null if the input has become shorter. */
  async at(place: number): Promise<FeedLine | null> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) return null;
      this.#next += 1;
      if (this.#next > place) return value;
    }
  }

  /** Closes the input. */
  async end(): Promise<void> {
    await this.#lines.return();
  }
}
