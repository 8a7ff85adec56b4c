import type { Statement } from './statement.ts';

/** The read was not answered: it belongs into the pool of long reads, which divides its connections between owners. */
export const isLong = Symbol('is long');

export interface ReadOutcome {
  readonly resolve: (rows: unknown[] | typeof isLong) => void;
  readonly reject: (error: unknown) => void;
}

/** A failure on a connection. `wasSent`: the statement had left for the server. */
export interface ReadFailure {
  readonly error: unknown;
  readonly connection: object;
  readonly wasSent: boolean;
}

/** A read from its call to its outcome. It may be sent on several connections: the first answer counts. */
export class ShortRead {
  readonly statement: Statement<unknown>;
  /** Names the owner and the statement. */
  readonly key: string;
  /** Where it was sent last. */
  connection: object | null = null;
  isRepeated = false;
  isDone = false;
  /** Called once it has its outcome. */
  onEnd: (() => void) | undefined;
  readonly #outcome: ReadOutcome;
  readonly #onFailure: (read: ShortRead, failure: ReadFailure) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    statement: Statement<unknown>,
    key: string,
    outcome: ReadOutcome,
    onFailure: (read: ShortRead, failure: ReadFailure) => void,
  ) {
    this.statement = statement;
    this.key = key;
    this.#outcome = outcome;
    this.#onFailure = onFailure;
  }

  /** Fails after `limitMs`, with the words of the driver. */
  limit(limitMs: number): void {
    this.#timer = setTimeout(() => this.reject(new Error('Query read timeout')), limitMs);
  }

  answer(rows: unknown[]): void {
    this.#end(() => this.#outcome.resolve(rows));
  }

  /** Returns it to its caller as a long read. */
  giveBack(): void {
    this.#end(() => this.#outcome.resolve(isLong));
  }

  reject(error: unknown): void {
    this.#end(() => this.#outcome.reject(error));
  }

  /** Notes that a connection failed it. One that it was moved away from does not count. */
  fail(failure: ReadFailure): void {
    if (!this.isDone && this.connection === failure.connection) this.#onFailure(this, failure);
  }

  #end(settle: () => void): void {
    if (this.isDone) return;
    this.isDone = true;
    clearTimeout(this.#timer);
    settle();
    this.onEnd?.();
  }
}
