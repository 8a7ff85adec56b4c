/** Limits concurrency: a few tasks run at once; the others wait in order of arrival. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `width`: how many run at once. */
  constructor(width: number) {
    this.#free = width;
  }

  /** Runs `work` when its turn comes, and settles like it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
