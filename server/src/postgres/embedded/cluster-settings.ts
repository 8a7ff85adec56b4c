import { totalmem } from 'node:os';
import process from 'node:process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export const clusterPort = 5432;

const defaultSettings: Readonly<Record<string, string>> = {
  max_connections: '100',
  maintenance_work_mem: '128MB',
  // fewer checkpoints while a catalog is loaded: after each, the next write of every page is logged in full, which is
  // most of a feed's log
  max_wal_size: '4GB',
  // for solid-state disks, where an index scan costs no seeks
  random_page_cost: '1.1',
  // JIT compilation costs more than these short statements
  jit: 'off',
  log_checkpoints: 'off',
  // statements contain client data; the error alone is sufficient
  log_min_error_statement: 'panic',
};

/**
 * Gives PostgreSQL's cache a quarter of the memory (in bytes), from 128 MB to 4 GB [D37]: if the cache is smaller than the pages
 * that writes touch, each write first has to evict a page.
 */
function memorySettings(memory: number): Readonly<Record<string, string>> {
  const megabytes = memory / 1024 ** 2;
  return {
    shared_buffers: `${Math.round(Math.min(Math.max(megabytes / 4, 128), 4096))}MB`,
    effective_cache_size: `${Math.round(Math.max(megabytes / 2, 256))}MB`,
  };
}

/** The machine's memory, or the container's limit. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Settings that safety and this supervisor depend on, on the command line, so that no file in the cluster can change them. */
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
 * Returns PostgreSQL's command-line arguments: the defaults, overridden by the given settings, and the fixed settings.
 * @throws EmbeddedPostgresError if a given setting is a fixed one
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
