import { readFileSync } from 'node:fs';
import type { Log } from '../lib/log.ts';
import { within } from '../lib/within.ts';

/** The version of Brandport, from its package. */
export const packageVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

/** The server cannot start; the message tells the operator what is wrong and what to do. */
export class StartError extends Error {}

/** Time for an unused part to close. */
const closeLimitMs = 500;
/** Time for aborted work to notice. */
const cutMs = 300;

interface Part {
  readonly name: string;
  readonly limitMs: number;
  end(graceMs: number): Promise<void>;
}

/**
 * The started parts, and the order in which they stop: first all parts that do work finish, at the same time, then the resources
 * that they used are closed, the last opened first. A part that fails or hangs is logged and left behind: the process exits
 * anyway, and the database is safe against that.
 */
export class Lifetime {
  readonly #log: Log;
  readonly #working: Part[] = [];
  readonly #open: Part[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** `finish` accepts nothing new, and completes or aborts work in flight within `graceMs`. */
  works(name: string, finish: (graceMs: number) => Promise<void>): void {
    this.#working.push({ name, limitMs: cutMs, end: finish });
  }

  /** `close` releases the resource; it may take `limitMs`. */
  opened(name: string, close: () => Promise<void>, limitMs = closeLimitMs): void {
    this.#open.push({ name, limitMs, end: close });
  }

  /** Ends everything; never throws. Safe to call again. */
  async end(graceMs: number): Promise<void> {
    await Promise.all(this.#working.splice(0).map((part) => this.#end(part, graceMs)));
    for (const part of this.#open.splice(0).reverse()) await this.#end(part, 0);
  }

  async #end({ name, limitMs, end }: Part, graceMs: number): Promise<void> {
    try {
      await within(graceMs + limitMs, end(graceMs), () => this.#log('warn', `${name}: shutdown timed out`));
    } catch (error) {
      this.#log('warn', `${name}: shutdown failed: ${(error as Error).message}`);
    }
  }
}
