import { Writable } from 'node:stream';

const newline = 0x0a;

/**
 * A stream of lines that become rows, in statements of a bounded size one after the other. `Statement` is what a subclass needs
 * to know of the one that is open.
 */
export abstract class DividedRows<Statement> extends Writable {
  readonly #limit: number;
  #statement: Statement | null = null;
  #bytes = 0;

  /** @param limit bytes of a statement; one that has so many ends after the next line */
  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  /** Begins a statement. It may fail at any time, also while nothing is being written: then it destroys the stream. */
  protected abstract beginStatement(): Statement;
  protected abstract sendLines(statement: Statement, chunk: Buffer): Promise<void>;
  protected abstract endStatement(statement: Statement): Promise<void>;
  /** Called when the stream is destroyed with an open statement. */
  protected abortStatement(_statement: Statement, _error: Error | null): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#add(chunk).then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#endOpen().then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#statement !== null) this.abortStatement(this.#statement, error);
    done(error);
  }

  async #add(chunk: Buffer): Promise<void> {
    const end = chunk.lastIndexOf(newline);
    if (this.#bytes + chunk.length < this.#limit || end === -1) return this.#send(chunk);
    await this.#send(chunk.subarray(0, end + 1));
    await this.#endOpen();
    if (end + 1 < chunk.length) await this.#send(chunk.subarray(end + 1));
  }

  async #send(chunk: Buffer): Promise<void> {
    if (chunk.length === 0) return;
    this.#statement ??= this.beginStatement();
    this.#bytes += chunk.length;
    await this.sendLines(this.#statement, chunk);
  }

  async #endOpen(): Promise<void> {
    const statement = this.#statement;
    if (statement === null) return;
    this.#statement = null;
    this.#bytes = 0;
    await this.endStatement(statement);
  }
}
