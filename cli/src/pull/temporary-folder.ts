import { mkdir, rm } from 'node:fs/promises';

/** Creates the folder for the temporary files of a run, for this user only, without what a killed run left in it. */
export async function createTemporaryFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
}
