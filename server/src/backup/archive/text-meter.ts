import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

const newline = 0x0a;

/** The measure of a table's rows in PostgreSQL's text format, where each row is one line. */
export interface TextMeasure {
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export class TextMeter extends Transform {
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) this.#rows += 1;
    done(null, chunk);
  }

  /** Call it once, after the end. */
  measure(): TextMeasure {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
