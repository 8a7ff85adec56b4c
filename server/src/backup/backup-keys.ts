import { hkdfSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isStrongSecret, shortestSecret } from '../lib/strong-secret.ts';
import { BackupError } from './backup-error.ts';

/** Reads the keys of backups, one a line: the first encrypts, all decrypt. No file: none. @throws BackupError */
export async function readBackupKeys(file: string | null): Promise<readonly Buffer[]> {
  if (file === null) return [];
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new BackupError(`The key of backups (BRANDPORT_BACKUP_KEY_FILE) cannot be read: ${error.message}`);
  });
  const secrets = text.split(/\s+/).filter((secret) => secret !== '');
  if (secrets.length === 0 || secrets.some((secret) => !isStrongSecret(secret, /./)))
    throw new BackupError(
      `${file} (BRANDPORT_BACKUP_KEY_FILE) must have a key of at least ${shortestSecret} characters on each line, ` +
        'such as one of `openssl rand -hex 32`.',
    );
  return secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'brandport backup', 32)));
}
