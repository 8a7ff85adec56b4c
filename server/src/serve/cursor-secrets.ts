import { type Config, ConfigError } from '../config.ts';
import { tokenCharacters } from '../lib/strong-secret.ts';
import { generatedSecret } from './secrets.ts';
import { StartError } from './start-error.ts';

/**
 * Returns the secrets of analytics cursors: those of the configuration, or a generated one that is kept in
 * the data directory.
 */
export async function cursorSecretsOf({
  cursorSecrets,
  dataDir,
}: Pick<Config, 'cursorSecrets' | 'dataDir'>): Promise<[string, ...string[]]> {
  const [first, ...others] = cursorSecrets;
  if (first !== undefined) return [first, ...others];
  const secret = await generatedSecret(dataDir, 'cursor-secret', tokenCharacters).catch((error: Error) => {
    if (error instanceof ConfigError) throw error;
    throw new StartError(
      `The cursor secret cannot be stored in ${dataDir} (BRANDPORT_DATA_DIR): ${error.message}. Give the user that ` +
        'runs Brandport access to the directory, or set BRANDPORT_CURSOR_SECRET.',
    );
  });
  return [secret.value];
}
