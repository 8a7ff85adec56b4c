import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const bufferCharacters = 1 << 18;

/**
 * Writes the lines of a plan to a file that appears under its name only when it is complete. Without a path, lines are
 * only counted by the caller.
 */
export class PlanWriter {
  readonly #path: string | null;
  #file: number | null = null;
  #pending: string[] = [];
  #size = 0;

  constructor(path: string | null) {
    this.#path = path;
    if (path !== null) this.#file = openSync(`${path}.new`, 'w', 0o600);
  }

  line(value: object): void {
    if (this.#file === null) return;
    const text = `${JSON.stringify(value)}\n`;
    this.#pending.push(text);
    this.#size += text.length;
    if (this.#size >= bufferCharacters) this.#flush(this.#file);
  }

  /** Makes the plan durable under its name. */
  finish(): void {
    if (this.#file === null || this.#path === null) return;
    this.#flush(this.#file);
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = null;
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** Removes what was written, unless the plan is finished. */
  discard(): void {
    if (this.#file === null || this.#path === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(`${this.#path}.new`, { force: true });
  }

  #flush(file: number): void {
    writeFileSync(file, this.#pending.join(''));
    this.#pending = [];
    this.#size = 0;
  }
}
