import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The place of a poller in the changes of products. */
export interface ProductCheckpoint {
  /** The latest `updated_at` that was handled; null before the first product. */
  readonly since: string | null;
  /** The `tu_id` of products that were handled with exactly this `updated_at`. */
  readonly seen: readonly string[];
}

/** The place of a poller in the changes of stock. */
export interface StockCheckpoint {
  /** The `changed_token` after what was handled; `start` before the first level. */
  readonly token: string;
}

/** The place of one poller. Treat it as opaque: a store keeps it as JSON. */
export type Checkpoint = ProductCheckpoint | StockCheckpoint;

/** A place that survives the process. Use one for each poller. */
export interface ChangeState {
  /** Returns null before the first `save`. */
  load(): Promise<Checkpoint | null>;
  /** Has to be durable when it returns. */
  save(checkpoint: Checkpoint): Promise<void>;
}

/** Keeps the place in a file. A crash leaves the old content or the new one. One process may use the file at a time. */
export function fileState(path: string): ChangeState {
  return {
    load: async () => {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      return text === null ? null : checkpointFrom(text, path);
    },
    save: async (checkpoint) => {
      const temporary = `${path}.new`;
      await writeDurably(temporary, `${JSON.stringify(checkpoint)}\n`);
      await rename(temporary, path);
      await flush(dirname(path));
    },
  };
}

/** Keeps the place in memory: a new process begins from the start. */
export function memoryState(): ChangeState {
  let kept: Checkpoint | null = null;
  return {
    load: async () => kept,
    save: async (checkpoint) => {
      kept = checkpoint;
    },
  };
}

function checkpointFrom(text: string, path: string): Checkpoint {
  const value = parsed(text);
  const { since, seen, token } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    ProductCheckpoint & StockCheckpoint
  >;
  if (typeof token === 'string') return { token };
  if ((typeof since === 'string' || since === null) && Array.isArray(seen)) return { since, seen };
  // Without the file, everything comes again: that is for the operator to decide.
  throw new TypeError(`${path} is not a state of changes. Remove it to begin from the start.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename in a directory durable. */
async function flush(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null);
  // Some systems cannot open a directory.
  await handle?.sync().catch(() => {});
  await handle?.close();
}
