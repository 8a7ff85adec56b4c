import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { promisify } from 'node:util';

let creating: Promise<void> | undefined;

/**
 * Copies a data directory on which a server was started and stopped: a tenth of the time of `initdb`, migrations and
 * the queue's schema. The first test that needs it creates the original. Without a run of `npm test` nothing is copied.
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
