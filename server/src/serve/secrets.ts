import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { randomBase62, randomHex } from '../lib/ids.ts';
import { isStrongSecret, shortestSecret } from '../lib/strong-secret.ts';

/** A secret from the environment or from a file. */
export interface Secret {
  readonly value: string;
  /** null: from the environment. */
  readonly file: string | null;
}

/**
 * Reads a generated secret from the data directory, creating it at the first start: 43 random characters in a
 * file that only the owner may read. Processes that start at the same time get the same secret: the file
 * appears whole or not at all, and the first one wins [D12].
 * @throws ConfigError if the file has a secret that would be refused in the environment too
 */
export async function generatedSecret(dataDir: string, name: string, characters: RegExp): Promise<Secret> {
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const existing = await readSecret(file);
  if (existing !== null) {
    if (isStrongSecret(existing, characters)) return { value: existing, file };
    throw new ConfigError([
      `${file} must contain at least ${shortestSecret} characters on one line, without spaces and commas. Delete the file ` +
        'to have a secret generated.',
    ]);
  }

  const draft = `${file}.${randomHex(8)}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBase62(43)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return { value: (await readSecret(file)) as string, file };
}

async function readSecret(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
