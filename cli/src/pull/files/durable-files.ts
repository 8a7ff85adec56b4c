import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Flushes a file or a folder to disk. Folders cannot be flushed on Windows, where renames are durable without it. */
export async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (process.platform === 'win32') return null;
    throw error;
  });
  if (file === null) return;
  try {
    await file.sync();
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  } finally {
    await file.close();
  }
}

/** Moves a file that is on disk to its place, in a folder that may not exist. The last file of that name is replaced. */
export async function moveIntoPlace(temporary: string, path: string): Promise<void> {
  const folder = dirname(path);
  const created = await mkdir(folder, { recursive: true });
  await rename(temporary, path);
  await flushToDisk(folder);
  // The name of a new folder is an entry of its parent, up to the first folder that existed.
  if (created !== undefined)
    for (let parent = dirname(folder); ; parent = dirname(parent)) {
      await flushToDisk(parent);
      if (parent === dirname(created) || parent === dirname(parent)) break;
    }
}

/** Replaces a file in one step: readers see the content before or after it, also if the machine stops. */
export async function replaceText(path: string, text: string, temporaryFolder: string): Promise<void> {
  const temporary = join(temporaryFolder, 'replacement');
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await moveIntoPlace(temporary, path);
}

/** Returns the text of a file; null if it does not exist. */
export async function findText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the SHA-256 of a file; null if it does not exist. */
export async function findSha256(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

/** Returns the file of a directory that holds its state. */
export function statePathOf(directory: string): string {
  return join(directory, '_brandport', 'state.json');
}

/** Creates the folder for the temporary files of a run, for this user only, without what a killed run left in it. */
export async function createTemporaryFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
}
