import type { TSchema } from 'typebox';
import type { Config } from '../config.ts';
import type { ApiError } from '../errors/api-error.ts';
import { createValidatorCompiler } from '../http/validation/validator.ts';
import type { Log } from '../lib/log.ts';
import { Database } from '../postgres/database.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';

/**
 * Runs a short command on the main database, next to a server or without one.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function runOnDatabase<T>(
  config: Config,
  log: Log,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const main = await openDatabaseAsItIs(config, log);
  const database = new Database({
    address: main.address,
    applicationName: 'brandport-command',
    poolSize: 2,
    readPoolSize: 2,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
    await main.stop();
  }
}

/** Checks a body as its operation does. @throws ApiError `validation_failed` */
export function checkedBody<Body extends object>(schema: TSchema, body: Body): Body {
  const check = createValidatorCompiler()({ schema, method: 'POST', url: '/', httpPart: 'body' });
  const { error } = check(body) as { error?: ApiError };
  if (error !== undefined) throw error;
  return body;
}
