import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';

/** A file to which whole lines are appended. A line that a kill has cut is removed when the file is opened. */
export class LineFile {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a+', 0o600);
    ftruncateSync(this.#file, this.#endOfLastLine());
  }

  /** Makes the text durable. @param text ends with a line feed */
  append(text: string): void {
    writeFileSync(this.#file, text);
    fdatasyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #endOfLastLine(): number {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    for (let end = fstatSync(this.#file).size; end > 0; ) {
      const start = Math.max(0, end - chunk.length);
      readSync(this.#file, chunk, 0, end - start, start);
      const at = chunk.subarray(0, end - start).lastIndexOf(10);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  }
}
