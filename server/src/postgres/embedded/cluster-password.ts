import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

const passwordFileName = 'postgres-password';

/** Returns the password that the data directory stores for its cluster; undefined if there is none. */
export async function findPassword(dataDir: string): Promise<string | undefined> {
  const content = await readFile(join(dataDir, passwordFileName), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  return content.trim() || undefined;
}

/** Contains only letters, digits, - and _, because it is used in SQL and URLs without escaping. */
export function generatePassword(): string {
  return randomBytes(32).toString('base64url');
}

/** Stores the password on disk, readable only by its owner, completely or not at all. */
export async function keepPassword(dataDir: string, password: string): Promise<void> {
  const path = join(dataDir, passwordFileName);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
