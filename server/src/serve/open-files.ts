import { readFile } from 'node:fs/promises';

/** File descriptors that a process needs in addition to client connections: files, pipes, database connections. */
const reserved = 128;
const fewest = 32;

/** Connections of each listener, by memory: 8 KB for an idle one, up to 40 KB for one with partial headers. */
export const connectionLimits = { client: 4_096, internal: 512 } as const;

export type ConnectionLimits = Readonly<Record<keyof typeof connectionLimits, number>>;

/**
 * Lowers the limits to fit the limit of open files: beyond it, the process could neither accept a connection nor open one to its
 * database. `openFiles` null: the limit is unknown.
 */
export function connectionLimitsFor(openFiles: number | null): ConnectionLimits {
  if (openFiles === null) return connectionLimits;
  const room = Math.max(fewest, openFiles - reserved);
  return {
    client: Math.min(connectionLimits.client, Math.floor((room * 7) / 8)),
    internal: Math.min(connectionLimits.internal, Math.floor(room / 8)),
  };
}

/** Returns the soft limit of open files of this process; null on systems other than Linux. */
export async function findOpenFileLimit(): Promise<number | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}
