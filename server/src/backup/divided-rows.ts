import { Writable } from 'node:stream';

const newline = 0x0a;

export interface OpenStatement {
  readonly lines: Writable;
  /** Its end. It may fail at any time, also while nothing is being written. */
  readonly done: Promise<void>;
  /** Called if the rows end with an error. */
  abort?(error: Error | null): void;
}

export interface Division {
  readonly begin: () => OpenStatement;
  /** The bytes of a statement; one that has so many ends after the next line. */
  readonly limit: number;
}

/** A stream of lines that become rows, in statements of a bounded size one after the other. */
export class DividedRows extends Writable {
  readonly #division: Division;
  #statement: OpenStatement | null = null;
  #bytes = 0;

  constructor(division: Division) {
    super();
    this.#division = division;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#add(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#endOpen().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#statement?.abort?.(error);
    done(error);
  }

  async #add(chunk: Buffer): Promise<void> {
    const end = chunk.lastIndexOf(newline);
    if (this.#bytes + chunk.length < this.#division.limit || end === -1) return this.#send(chunk);
    await this.#send(chunk.subarray(0, end + 1));
    await this.#endOpen();
    await this.#send(chunk.subarray(end + 1));
  }

  async #send(chunk: Buffer): Promise<void> {
    if (chunk.length === 0) return;
    this.#statement ??= this.#begin();
    const { lines, done } = this.#statement;
    this.#bytes += chunk.length;
    const sent = new Promise<void>((resolve, reject) =>
      lines.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
    // A statement that has failed reads no more.
    await Promise.race([sent, done.then(() => sent)]);
  }

  #begin(): OpenStatement {
    const statement = this.#division.begin();
    statement.done.catch((error: Error) => this.destroy(error));
    return statement;
  }

  async #endOpen(): Promise<void> {
    const statement = this.#statement;
    if (statement === null) return;
    this.#statement = null;
    this.#bytes = 0;
    statement.lines.end();
    await statement.done;
  }
}
