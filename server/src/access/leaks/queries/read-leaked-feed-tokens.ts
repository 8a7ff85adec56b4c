import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface LeakedFeedTokenRow {
  readonly id: number;
  readonly brand_id: number;
  readonly name: string;
  readonly token_sha256: Buffer;
}

/** Reads feed tokens of all brands by their digests: a look-up in a unique index for each. */
export function readLeakedFeedTokens(
  database: Queryable,
  digests: readonly Buffer[],
): Promise<LeakedFeedTokenRow[]> {
  return database.run(
    statement<LeakedFeedTokenRow>(
      'read_leaked_feed_tokens',
      'select id, brand_id, name, token_sha256 from feed_tokens where token_sha256 = any ($1::bytea[])',
      [digests],
    ),
  );
}
