import { totalmem } from 'node:os';
import process from 'node:process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export const clusterPort = 5432;

const defaultSettings: Readonly<Record<string, string>> = {
  max_connections: '100',
  maintenance_work_mem: '128MB',
  // fewer checkpoints while a whole catalog is loaded, for at most this much disk: each has the pages that are written
  // next logged whole, which is most of what a feed logs
  max_wal_size: '4GB',
  // solid-state disks: an index costs no seek
  random_page_cost: '1.1',
  // compiling costs more than these short statements take
  jit: 'off',
  log_checkpoints: 'off',
  // statements hold what clients sent; the error alone says enough
  log_min_error_statement: 'panic',
};

/**
 * A quarter of the memory for PostgreSQL's own cache, from 128 MB to 4 GB [D37]; it takes what it uses. With less than the pages
 * that writes touch, each write waits until it has written another one's page: with 256 MB and a million products,
 * adjusting stock took half as long again.
 *
 * @param memory what the process may use, bytes
 */
function memorySettings(memory: number): Readonly<Record<string, string>> {
  const megabytes = memory / 1024 ** 2;
  return {
    shared_buffers: `${Math.round(Math.min(Math.max(megabytes / 4, 128), 4096))}MB`,
    effective_cache_size: `${Math.round(Math.max(megabytes / 2, 256))}MB`,
  };
}

/** The machine's memory, or what a container leaves of it. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Settings that safety and this supervisor rely on. Passed on the command line, so that no file in the
 * cluster changes them.
 */
function fixedSettings(
  clusterName: string,
  socketDir: string,
  isDisposable: boolean,
): Readonly<Record<string, string>> {
  const durable = isDisposable ? 'off' : 'on';
  return {
    fsync: durable,
    full_page_writes: durable,
    listen_addresses: '',
    port: String(clusterPort),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: clusterName,
    update_process_title: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
  };
}

/**
 * PostgreSQL's command-line arguments for the defaults, the given settings in their place, and the fixed settings.
 *
 * @throws EmbeddedPostgresError when a given setting is one of the fixed ones
 */
export function settingsArguments(
  clusterName: string,
  socketDir: string,
  settings: Readonly<Record<string, string>>,
  isDisposable = false,
): string[] {
  const fixed = fixedSettings(clusterName, socketDir, isDisposable);
  for (const name of Object.keys(settings)) {
    if (name.toLowerCase() in fixed) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL's setting ${name} cannot be changed.`);
    }
  }
  const all = { ...defaultSettings, ...memorySettings(availableMemory()), ...settings, ...fixed };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
