import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

const passwordFileName = 'postgres-password';

/** The password that the data directory keeps for its cluster, or undefined when there is none (any more). */
export async function findPassword(dataDir: string): Promise<string | undefined> {
  const content = await readFile(join(dataDir, passwordFileName), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  return content.trim() || undefined;
}

/** Letters, digits, - and _ only: it is used in SQL and in URLs without escaping. */
export function generatePassword(): string {
  return randomBytes(32).toString('base64url');
}

/** Puts the password on disk, readable by its owner only: there as a whole when this returns, or not at all. */
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
