import { type WriteTrouble, writeTroubleOf } from './database-errors.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const probeIntervalMs = 1_000;
/** The length in characters, and bytes on disk, that must fit before writes count as possible again. */
const probeLength = 256 * 1024;

/**
 * Tracks whether writes are possible. After a write failed because the disk is full or the database is read-only, it probes with
 * its own write every second until one succeeds [platform-21] [D78]. Costs nothing while writes succeed.
 */
export class WriteHealth {
  readonly #probe: () => Promise<void>;
  readonly #onChange: (trouble: WriteTrouble | null) => void;
  #trouble: WriteTrouble | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `probe` writes, and throws if that fails. */
  constructor(probe: () => Promise<void>, onChange: (trouble: WriteTrouble | null) => void) {
    this.#probe = probe;
    this.#onChange = onChange;
  }

  /** Why writes are impossible; null if no reason is known. */
  get trouble(): WriteTrouble | null {
    return this.#trouble;
  }

  /** Notes the failure of a write. */
  failed(error: unknown): void {
    const trouble = writeTroubleOf(error);
    if (trouble !== null) this.found(trouble);
  }

  /** Notes why the next write would fail; null: it would succeed. */
  found(trouble: WriteTrouble | null): void {
    if (this.#trouble === trouble || this.#closed) return;
    const wasGreen = this.#trouble === null;
    this.#trouble = trouble;
    this.#onChange(trouble);
    if (wasGreen) this.#schedule();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#try(), probeIntervalMs);
    this.#timer.unref();
  }

  async #try(): Promise<void> {
    try {
      await this.#probe();
      this.found(null);
    } catch (error) {
      // While the database is unreachable, the last known state of its disk is kept.
      this.failed(error);
      this.#schedule();
    }
  }
}

/** Writes something that needs new disk space: TRUNCATE gives the table a new file, which the filler must fit into. */
export async function writeProbe(tx: Transaction): Promise<void> {
  tx.queue(statement('truncate_write_probe', 'truncate write_probe'));
  await tx.run(
    statement<never>('fill_write_probe', `insert into write_probe (filler) values (repeat('x', $1))`, [
      probeLength,
    ]),
  );
}
