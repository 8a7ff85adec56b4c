import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface LeakedAdministratorRow {
  readonly token_id: string;
  readonly name: string;
  readonly secret_sha256: Buffer;
  readonly expires_at: Date | null;
}

/** Reads administrators by the public ids of their tokens: a look-up in a unique index for each. */
export function readLeakedAdministrators(
  database: Queryable,
  tokenIds: readonly string[],
): Promise<LeakedAdministratorRow[]> {
  return database.run(
    statement<LeakedAdministratorRow>(
      'read_leaked_administrators',
      `select token_id, name, secret_sha256, expires_at from administrators
       where token_id = any ($1::text[])`,
      [tokenIds],
    ),
  );
}
