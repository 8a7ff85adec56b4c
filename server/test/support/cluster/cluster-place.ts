import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findBinaries } from '../../../src/postgres/embedded/binaries.ts';

/** The connection that the keeper holds as long as it lives: without it nobody watches over the cluster. */
export const keeperName = 'brandport-test-keeper';

/** Minutes without a connection after which the shared cluster ends. */
export const defaultIdleMinutes = 15;

/** Several test files at a time, each with the pools of a whole server. */
export const clusterSettings: Readonly<Record<string, string>> = {
  max_connections: '400',
  // The log of a database that loses everything with the machine need not be complete.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Creating and dropping a database scans all buffers.
  shared_buffers: '256MB',
};

const projectDir = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * The data directory of the shared test cluster: one for each user, checkout and PostgreSQL version, in the system's
 * temporary directory. `BRANDPORT_TEST_CLUSTER_DIR` names another one.
 *
 * @throws Error when another user owns the directory
 */
export function sharedClusterDir(): string {
  const uid = process.getuid?.() ?? 0;
  const { version } = JSON.parse(readFileSync(join(findBinaries().root, '..', 'package.json'), 'utf8'));
  const key = JSON.stringify([projectDir, version, clusterSettings]);
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const dir =
    process.env['BRANDPORT_TEST_CLUSTER_DIR'] ?? join(tmpdir(), `brandport-test-cluster-${uid}-${digest}`);
  const found = lstatSync(dir, { throwIfNoEntry: false });
  if (found !== undefined && (!found.isDirectory() || found.uid !== uid))
    throw new Error(`${dir} is not a directory of uid ${uid}; remove it, or set BRANDPORT_TEST_CLUSTER_DIR.`);
  return dir;
}

/** Where the keeper writes what it and PostgreSQL log. */
export function clusterLogFile(dir: string): string {
  return join(dir, 'log');
}
