import { type WriteTrouble, writeTroubleOf } from './database-trouble.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const probeIntervalMs = 1_000;
/** Characters, and bytes on the disk: what has to fit before writes count as possible again. */
const probeLength = 256 * 1024;

/**
 * Whether the database takes writes. A write that fails because the disk is full or the database read-only makes it red;
 * then a write of its own is tried every second until one succeeds, so that it turns green without anybody's request
 * [platform-21] [D78]. Green costs nothing.
 */
export class WriteHealth {
  readonly #probe: () => Promise<void>;
  readonly #onChange: (trouble: WriteTrouble | null) => void;
  #trouble: WriteTrouble | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `probe` writes, and throws when that fails. */
  constructor(probe: () => Promise<void>, onChange: (trouble: WriteTrouble | null) => void) {
    this.#probe = probe;
    this.#onChange = onChange;
  }

  /** Why writes are impossible; null when nothing is known against them. */
  get trouble(): WriteTrouble | null {
    return this.#trouble;
  }

  /** Notes any failure of a write. */
  failed(error: unknown): void {
    const trouble = writeTroubleOf(error);
    if (trouble !== null) this.#become(trouble);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #become(trouble: WriteTrouble | null): void {
    if (this.#trouble === trouble || this.#closed) return;
    const wasGreen = this.#trouble === null;
    this.#trouble = trouble;
    this.#onChange(trouble);
    if (wasGreen) this.#schedule();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#try(), probeIntervalMs);
    this.#timer.unref();
  }

  async #try(): Promise<void> {
    try {
      await this.#probe();
      this.#become(null);
    } catch (error) {
      // While the database is unreachable as well, the last known state of its disk is kept.
      this.failed(error);
      this.#schedule();
    }
  }
}

/**
 * A write that needs new space on the disk: TRUNCATE gives the table a new file, and the filler has to fit into it. (An
 * update of a row could find room in the file that is there.)
 */
export async function writeProbe(tx: Transaction): Promise<void> {
  tx.queue(statement('truncate_write_probe', 'truncate write_probe'));
  await tx.run(
    statement<never>('fill_write_probe', `insert into write_probe (filler) values (repeat('x', $1))`, [
      probeLength,
    ]),
  );
}
