import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { InputError } from '../../errors/cli-error.ts';
import { parsedJson } from '../../input/parsed-json.ts';

/** The progress of a group: its steps happen in order. */
export interface Progress {
  /** The number of steps that are done. */
  readonly done: number;
  readonly tu_id?: string | undefined;
  /** The product's `updated_at` after the last of them. */
  readonly updated_at?: string | undefined;
  /** The feeds of a group that were submitted. */
  readonly feeds?: readonly string[] | undefined;
  /** The lines of the feeds that did not set the stock. */
  readonly failed_lines?: number | undefined;
}

/**
 * Keeps the effects of a plan in a file, a flushed line for each, so that a process that was killed continues. A line that
 * is missing means that an effect may have happened.
 */
export class Journal {
  readonly #path: string;
  readonly #file: number;
  readonly #groups: Map<number, Progress>;

  private constructor(path: string, file: number, groups: Map<number, Progress>) {
    this.#path = path;
    this.#file = file;
    this.#groups = groups;
  }

  /**
   * Opens the journal of a plan; one process may have it open.
   * @param digest of the plan
   * @throws InputError if it belongs to another plan or to a running process
   */
  static open(path: string, digest: string): Journal {
    lock(path);
    try {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const [header, ...lines] = text.split('\n');
      const head = `{"journal_of":"${digest}"}`;
      // A header that is cut was written before anything happened.
      const isNew = lines.length === 0;
      if (!isNew && header !== head)
        throw new InputError(`${path} is the journal of another plan. Remove it if that one is abandoned.`);
      const file = openSync(path, isNew ? 'w' : 'a', 0o600);
      // The rest of a line that was cut ends here.
      write(file, isNew ? `${head}\n` : text.endsWith('\n') ? '' : '\n');
      return new Journal(path, file, groupsOf(lines));
    } catch (error) {
      unlock(path);
      throw error;
    }
  }

  /** Returns the progress of a group; null before its first step. */
  of(group: number): Progress | null {
    return this.#groups.get(group) ?? null;
  }

  /** Makes the progress of a group durable. */
  record(group: number, progress: Progress): void {
    write(this.#file, `${JSON.stringify({ group, ...progress })}\n`);
    this.#groups.set(group, progress);
  }

  close(): void {
    closeSync(this.#file);
    unlock(this.#path);
  }
}

function write(file: number, text: string): void {
  writeFileSync(file, text);
  fdatasyncSync(file);
}

function groupsOf(lines: readonly string[]): Map<number, Progress> {
  const groups = new Map<number, Progress>();
  for (const line of lines) {
    const { group, ...progress } = (parsedJson(line) ?? { done: 0 }) as Progress & {
      readonly group?: number;
    };
    if (group !== undefined) groups.set(group, progress);
  }
  return groups;
}

function lock(path: string): void {
  const lockPath = `${path}.lock`;
  for (let attempt = 1; ; attempt += 1)
    try {
      writeFileSync(lockPath, String(process.pid), { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(readFileSync(lockPath, 'utf8'));
      if (attempt > 1 || (owner !== process.pid && isRunning(owner)))
        throw new InputError(`The process ${owner} applies this plan. If it does not, remove ${lockPath}.`);
      rmSync(lockPath, { force: true });
    }
}

function unlock(path: string): void {
  rmSync(`${path}.lock`, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
