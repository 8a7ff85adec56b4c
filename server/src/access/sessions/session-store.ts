import type { AccessRole } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Session } from './session.ts';

export interface SessionRow {
  readonly id: number;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly role: AccessRole;
  readonly brand_ids: number[] | null;
  readonly address: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
}

export const sessionColumns =
  'id, actor, actor_name, role, brand_ids, address, created_at, last_seen_at, expires_at';

export function sessionFromRow(row: SessionRow): Session {
  return {
    id: row.id,
    actor: row.actor,
    actorName: row.actor_name,
    role: row.role,
    brandIds: row.brand_ids,
    address: row.address,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}

export interface SessionInsert extends Omit<Session, 'id' | 'lastSeenAt'> {
  readonly tokenSha256: Buffer;
  /** The row of the administrator, with whom the session ends; null: none. */
  readonly administratorId: number | null;
}

export async function insertSession(tx: Transaction, session: SessionInsert): Promise<Session> {
  const rows = await tx.run(
    statement<SessionRow>(
      'insert_console_session',
      `insert into console_sessions
         (token_sha256, actor, actor_name, role, brand_ids, address, administrator_id, created_at, last_seen_at,
          expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
       returning ${sessionColumns}`,
      [
        session.tokenSha256,
        session.actor,
        session.actorName,
        session.role,
        session.brandIds,
        session.address,
        session.administratorId,
        session.createdAt,
        session.expiresAt,
      ],
    ),
  );
  return sessionFromRow(rows[0] as SessionRow);
}

/**
 * Finds a session by the digest of its cookie, also one that has ended. Called on every request with a cookie, so that a
 * session that was ended is refused by the next request, in every process. One row by a unique index.
 */
export async function findSession(database: Queryable, tokenSha256: Buffer): Promise<Session | null> {
  const rows = await database.run(
    statement<SessionRow>(
      'find_console_session',
      `select ${sessionColumns} from console_sessions where token_sha256 = $1`,
      [tokenSha256],
    ),
  );
  return rows[0] === undefined ? null : sessionFromRow(rows[0]);
}

/** Deletes a session and returns it; null if there is none. */
export async function deleteSession(tx: Transaction, id: number): Promise<Session | null> {
  const rows = await tx.run(
    statement<SessionRow>(
      'delete_console_session',
      `delete from console_sessions where id = $1 returning ${sessionColumns}`,
      [id],
    ),
  );
  return rows[0] === undefined ? null : sessionFromRow(rows[0]);
}

/**
 * Deletes up to `limit` sessions that ended at `now`, by age or because nothing was requested since `idleSince`, and returns
 * their number. Skips those that another transaction is deleting.
 */
export async function deleteEndedSessions(
  tx: Transaction,
  { now, idleSince }: { readonly now: Date; readonly idleSince: Date },
  limit: number,
): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'delete_ended_console_sessions',
      `with ended as (
         select id from console_sessions
         where expires_at <= $1 or last_seen_at <= $2
         limit $3 for update skip locked
       ), gone as (
         delete from console_sessions s using ended where s.id = ended.id returning 1
       )
       select count(*) as count from gone`,
      [now, idleSince, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
