import { statement } from '../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../server/src/postgres/transaction.ts';

/** A sign-in that a browser has begun; state and browser as digests. */
export interface BegunSignIn {
  readonly stateSha256: Buffer;
  readonly browserSha256: Buffer;
  /** Relative to the console. */
  readonly returnTo: string;
  readonly expiresAt: Date;
}

export async function insertSignIn(tx: Transaction, signIn: BegunSignIn): Promise<void> {
  const { stateSha256, browserSha256, returnTo, expiresAt } = signIn;
  await tx.run(
    statement<never>(
      'insert_console_sign_in',
      `insert into console_sign_ins (state_sha256, browser_sha256, return_to, expires_at) values ($1, $2, $3, $4)`,
      [stateSha256, browserSha256, returnTo, expiresAt],
    ),
  );
}

/**
 * Deletes a sign-in of this browser and returns where it leads, also one that has expired; null if there is none. Of several
 * callbacks of one sign-in, in any process, one receives it.
 */
export async function takeSignIn(
  tx: Transaction,
  stateSha256: Buffer,
  browserSha256: Buffer,
): Promise<Pick<BegunSignIn, 'returnTo' | 'expiresAt'> | null> {
  const rows = await tx.run(
    statement<{ return_to: string; expires_at: Date }>(
      'take_console_sign_in',
      `delete from console_sign_ins where state_sha256 = $1 and browser_sha256 = $2
       returning return_to, expires_at`,
      [stateSha256, browserSha256],
    ),
  );
  return rows[0] === undefined ? null : { returnTo: rows[0].return_to, expiresAt: rows[0].expires_at };
}
