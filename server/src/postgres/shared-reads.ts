import { atEndOfTurn } from '../lib/end-of-turn.ts';
import { isConnectionFailure } from './sqlstate.ts';
import type { Statement } from './statement.ts';

/** A read of at most one row by a key, for which there is also a statement that reads the rows of several keys. */
export interface SharedRead<Key, Row> {
  readonly name: string;
  /** Returns a string that only this key has: equal keys that wait together are read once. */
  nameOf(key: Key): string;
  /** Reads the row of one key. */
  one(key: Key): Statement<Row>;
  /** Reads the rows of 2 to `sharedReadSize` keys; `n` of a row is the position of its key, from 1. */
  several(keys: readonly Key[]): Statement<Row & { readonly n: number }>;
}

/** Keys of one statement. Measured per product detail: 239 µs alone, 118 for 8 together, 93 for 16, 104 for 32. */
export const sharedReadSize = 16;

/**
 * Fewer keys are not divided. Sent whole, 32 requests in flight become two statements of 16, and PostgreSQL is idle while Node
 * answers the requests of both [D213].
 */
const undivided = 8;

/**
 * The most statements of one kind under way. A third would only wait in PostgreSQL; here more reads join it. With one, PostgreSQL
 * would be idle while the next is sent.
 */
const mostUnderWay = 2;

interface Line {
  /** Reads that are not sent yet, by the name of their key. */
  readonly waiting: Map<string, Waiting>;
  /** Statements that are sent and not answered. */
  underWay: number;
  readonly send: () => void;
}

interface Waiting {
  readonly key: unknown;
  readonly found: Promise<unknown>;
  resolve(row: unknown): void;
  reject(error: unknown): void;
}

type Run = <Row>(statement: Statement<Row>) => Promise<Row[]>;

/**
 * Reads for which requests share statements: those of one turn of the event loop, and those that arrive while two statements are
 * under way [D125] [D174]. A statement is sent at the end of a turn, after the last of its requests arrived, so that each sees
 * what it would see alone. No request waits for others to arrive.
 */
export class SharedReads {
  readonly #run: Run;
  readonly #lines = new Map<SharedRead<never, unknown>, Line>();

  /** @param run sends a short statement */
  constructor(run: Run) {
    this.#run = run;
  }

  /** Returns the row of the key; undefined if there is none. Rejects like a statement for this key alone. */
  find<Key, Row>(read: SharedRead<Key, Row>, key: Key): Promise<Row | undefined> {
    const line = this.#lines.get(read) ?? this.#begin(read);
    const name = read.nameOf(key);
    const waiting = line.waiting.get(name) ?? { key, ...promised() };
    line.waiting.set(name, waiting);
    sendSoon(line);
    return waiting.found as Promise<Row | undefined>;
  }

  #begin(read: SharedRead<never, unknown>): Line {
    const line: Line = { waiting: new Map(), underWay: 0, send: () => this.#send(read, line) };
    this.#lines.set(read, line);
    return line;
  }

  #send(read: SharedRead<never, unknown>, line: Line): void {
    while (line.waiting.size > 0 && line.underWay < mostUnderWay) {
      const some = takeFirst(line.waiting, shareOf(line.waiting.size));
      line.underWay += 1;
      void this.#read(read, line, some).then(() => {
        line.underWay -= 1;
        sendSoon(line);
      });
    }
  }

  async #read(read: SharedRead<never, unknown>, line: Line, some: readonly Waiting[]): Promise<void> {
    const [only] = some;
    const failure =
      some.length === 1 && only !== undefined
        ? await this.#readAlone(read, only)
        : await this.#readTogether(read, some);
    // Those that wait would have been sent on the connection that failed. They must not wait for its limit again.
    if (failure !== null)
      for (const { reject } of takeFirst(line.waiting, line.waiting.size)) reject(failure);
  }

  /** Returns the error if it concerns the connection, otherwise null. */
  async #readAlone(read: SharedRead<never, unknown>, { key, resolve, reject }: Waiting): Promise<unknown> {
    try {
      const rows = await this.#run(read.one(key as never));
      resolve(rows[0]);
      return null;
    } catch (error) {
      reject(error);
      return isConnectionFailure(error) ? error : null;
    }
  }

  /** Returns the error if it concerns the connection, otherwise null. */
  async #readTogether(read: SharedRead<never, unknown>, all: readonly Waiting[]): Promise<unknown> {
    try {
      const rows = await this.#run(read.several(all.map(({ key }) => key as never)));
      const found: unknown[] = [];
      for (const row of rows) found[(row as { n: number }).n - 1] = row;
      for (const [index, { resolve }] of all.entries()) resolve(found[index]);
      return null;
    } catch (error) {
      // An error of one key must not reach the others. Without a connection, or after a timeout, it concerns all.
      if (!isConnectionFailure(error)) {
        await Promise.all(all.map((one) => this.#readAlone(read, one)));
        return null;
      }
      for (const { reject } of all) reject(error);
      return error;
    }
  }
}

function sendSoon({ waiting, underWay, send }: Line): void {
  if (waiting.size > 0 && underWay < mostUnderWay) atEndOfTurn(send);
}

function promised(): Pick<Waiting, 'found' | 'resolve' | 'reject'> {
  const { promise, ...settle } = Promise.withResolvers<unknown>();
  return { found: promise, ...settle };
}

/** Removes and returns the reads that have waited longest. */
function takeFirst(waiting: Map<string, Waiting>, count: number): Waiting[] {
  const taken = [...waiting].slice(0, count);
  for (const [name] of taken) waiting.delete(name);
  return taken.map(([, each]) => each);
}

/** Returns how many of the waiting reads the next statement takes: half of them, from 8 to 16. */
function shareOf(waiting: number): number {
  return Math.min(sharedReadSize, Math.max(undivided, Math.ceil(waiting / 2)));
}

/** Returns one array of each part of the keys, filled with nulls, as the parameters of a statement for several keys. */
export function columnsOf(keys: readonly (readonly unknown[])[]): unknown[][] {
  const [first = []] = keys;
  return first.map((_, part) =>
    Array.from({ length: sharedReadSize }, (_unused, index) => keys[index]?.[part] ?? null),
  );
}
