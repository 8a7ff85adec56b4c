import { appendFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The log destination of the apps under test: memory, and the file in `BRANDPORT_TEST_LOG`. That file collects the
 * lines of the whole run, which are searched for secrets at the end.
 */
class LogCapture {
  readonly #file = process.env['BRANDPORT_TEST_LOG'];
  #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line);
    if (this.#file !== undefined) appendFileSync(this.#file, line);
  }

  /** Returns the lines logged since the last call. */
  take(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

export const logLines = new LogCapture();
