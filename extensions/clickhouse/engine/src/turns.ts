import { interfaceException } from './exception.ts';

/** Lets a limited number of queries run at once; the others wait in their order. */
export class Turns {
  readonly #parallel: number;
  readonly #limit: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(parallel: number, limit: number) {
    this.#parallel = parallel;
    this.#limit = limit;
  }

  /**
   * Waits for a turn and returns the function that ends it.
   * @throws EngineException 202 if too many run or wait
   */
  async take(): Promise<() => void> {
    if (this.#running + this.#waiting.length >= this.#limit) {
      const message = `Too many simultaneous queries. Maximum: ${this.#limit}`;
      throw interfaceException(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', message);
    }
    if (this.#running < this.#parallel) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    };
  }
}
