import type { Page } from '../../api/pagination.ts';
import type { Clock } from '../../lib/clock.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { deleteAllRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Session, sessionIdleMs } from './session.ts';

const columns = `id, actor, actor_name as "actorName", role, brand_ids as "brandIds", address, created_at as "createdAt",
  last_seen_at as "lastSeenAt", expires_at as "expiresAt"`;

export interface SessionInsert extends Omit<Session, 'id' | 'lastSeenAt'> {
  readonly tokenSha256: Buffer;
  /** The row of the administrator, with whom the session ends; null: none. */
  readonly administratorId: number | null;
}

export async function insertSession(tx: Transaction, session: SessionInsert): Promise<Session> {
  const rows = await tx.run(
    statement<Session>(
      'insert_console_session',
      `insert into console_sessions
         (token_sha256, actor, actor_name, role, brand_ids, address, administrator_id, created_at, last_seen_at,
          expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
       returning ${columns}`,
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
  return rows[0] as Session;
}

/**
 * Finds a session by the digest of its cookie, also one that has ended. Called on every request with a cookie: a session that was
 * ended is refused by the next request, in every process.
 */
export async function findSession(database: Queryable, tokenSha256: Buffer): Promise<Session | null> {
  const rows = await database.run(
    statement<Session>(
      'find_console_session',
      `select ${columns} from console_sessions where token_sha256 = $1`,
      [tokenSha256],
      { vital: true },
    ),
  );
  return rows[0] ?? null;
}

export async function deleteSession(tx: Transaction, id: number): Promise<Session | null> {
  const rows = await tx.run(
    statement<Session>(
      'delete_console_session',
      `delete from console_sessions where id = $1 returning ${columns}`,
      [id],
    ),
  );
  return rows[0] ?? null;
}

/** Deletes the sessions that have ended, and returns their number. The audit keeps when they began and who ended them. */
export function purgeEndedSessions(database: Database, clock: Clock): Promise<number> {
  const now = clock.now();
  return deleteAllRows(database, {
    name: 'delete_ended_console_sessions',
    table: 'console_sessions',
    where: 'expires_at <= $1 or last_seen_at <= $2',
    orderBy: 'id',
    values: [new Date(now), new Date(now - sessionIdleMs)],
  });
}

/** Deletes the single sign-ons that were begun and not finished in time, and returns their number. */
export function purgeExpiredSignIns(database: Database, clock: Clock): Promise<number> {
  return deleteAllRows(database, {
    name: 'delete_expired_console_sign_ins',
    table: 'console_sign_ins',
    where: 'expires_at <= $1',
    orderBy: 'expires_at',
    values: [new Date(clock.now())],
  });
}

/** Lists one page of the sessions that have not ended, newest first, and counts all. `now`: milliseconds since the Unix epoch. */
export function listLiveSessions(
  database: Queryable,
  now: number,
  page: Page,
): Promise<{ rows: Session[]; total: number }> {
  const isLive = ['expires_at > $1', 'last_seen_at > $2'];
  const where = new Conditions(isLive, [new Date(now), new Date(now - sessionIdleMs)]);
  const list = { name: 'console_sessions', columns, from: 'console_sessions', where, orderBy: 'id desc' };
  return readPage(database, list, page);
}
