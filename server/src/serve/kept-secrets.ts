import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { randomBase62, randomHex } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { isStrongSecret, shortestSecret, tokenCharacters } from '../lib/secrets.ts';
import { StartError } from './lifetime.ts';

/** A secret from the environment or from a file. */
export interface Secret {
  readonly value: string;
  /** null: from the environment. */
  readonly file: string | null;
}

/** Returns the admin token of the configuration, or a generated one that is kept in the data directory. */
export async function loadAdminToken({ adminTokens, dataDir }: Config, log: Log): Promise<Secret> {
  const [current] = adminTokens;
  if (current !== undefined) return { value: current, file: null };
  const secret = await generatedSecret(dataDir, 'admin-token', 'BRANDPORT_ADMIN_TOKEN');
  log('info', `the admin token is in ${secret.file}`);
  return secret;
}

/** Returns the secrets of analytics cursors: those of the configuration, or a generated one, like the admin token. */
export async function loadCursorSecrets({
  cursorSecrets,
  dataDir,
}: Pick<Config, 'cursorSecrets' | 'dataDir'>): Promise<[string, ...string[]]> {
  const [first, ...others] = cursorSecrets;
  if (first !== undefined) return [first, ...others];
  return [(await generatedSecret(dataDir, 'cursor-secret', 'BRANDPORT_CURSOR_SECRET')).value];
}

function generatedSecret(dataDir: string, name: string, variable: string): Promise<Secret> {
  return readOrGenerate(dataDir, name).catch((error: Error) => {
    if (error instanceof ConfigError) throw error;
    throw new StartError(
      `The ${name.replace('-', ' ')} cannot be stored in ${dataDir} (BRANDPORT_DATA_DIR): ${error.message}. Give the user that ` +
        `runs Brandport access to the directory, or set ${variable}.`,
    );
  });
}

/**
 * Reads a generated secret from the data directory, creating it at the first start: 43 random characters in a file that only the
 * owner may read. Of processes that start at the same time, the first one's file wins [D11].
 * @throws ConfigError if the file has a secret that would be refused in the environment too
 */
async function readOrGenerate(dataDir: string, name: string): Promise<Secret> {
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const existing = await readSecret(file);
  if (existing !== null) {
    if (isStrongSecret(existing, tokenCharacters)) return { value: existing, file };
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
