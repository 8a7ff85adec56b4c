import { appendFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Where the apps under test log to: memory, and, where `BRANDPORT_TEST_LOG` names a file, that file as well. The whole
 * run's lines end up in it, to be searched for secrets when all is done.
 */
class LogCapture {
  readonly #file = process.env['BRANDPORT_TEST_LOG'];
  #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line);
    if (this.#file !== undefined) appendFileSync(this.#file, line);
  }

  /** What was logged since the last call. */
  take(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

export const logLines = new LogCapture();
