import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { CliError } from '../errors/cli-error.ts';

/**
 * Writes a file that appears when it is complete: until then, an older one with this name is kept.
 * @throws CliError if it cannot be written
 */
export async function writeFileWhole(path: string, parts: AsyncIterable<string>): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const file = await open(draft, 'w').catch((error: Error) => {
    throw new CliError(`${path} cannot be written: ${error.message}.`);
  });
  try {
    for await (const part of parts) await file.write(part);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}
