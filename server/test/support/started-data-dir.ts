import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { promisify } from 'node:util';

let creating: Promise<void> | undefined;

/**
 * Copies a data directory on which a server was started and stopped in order: a copy costs a tenth of the CPU time of
 * `initdb`, the migrations and the job queue's schema. The original is created once per run of `npm test`, by the first
 * test that needs it. Two tests may create it at once; one of them keeps it. Without a run nothing is copied, and the
 * server creates its database itself.
 *
 * @param target the new data directory, which does not exist yet
 * @param startOn starts a server on a data directory and stops it
 */
export async function copyStartedDataDir(
  target: string,
  startOn: (dataDir: string) => Promise<void>,
): Promise<void> {
  const original = process.env['BRANDPORT_TEST_STARTED_DATA'];
  if (original === undefined) return;
  creating ??= createOriginal(original, startOn);
  await creating;
  // Keeps owners and modes: the cluster belongs to the user that PostgreSQL runs as.
  await promisify(execFile)('cp', ['-a', original, target]);
}

async function createOriginal(original: string, startOn: (dataDir: string) => Promise<void>): Promise<void> {
  if (existsSync(original)) return;
  const own = `${original}-${process.pid}`;
  await startOn(own);
  await rename(own, original).catch(async (error: Error) => {
    if (!existsSync(original)) throw error;
    await rm(own, { recursive: true });
  });
}
