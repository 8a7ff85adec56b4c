import type { AccessRole } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import type { Clock } from '../../lib/clock.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { deleteAllRows } from '../../postgres/delete-rows.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Session, sessionIdleMs } from './session.ts';

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

const sessionColumns =
  'id, actor, actor_name, role, brand_ids, address, created_at, last_seen_at, expires_at';

function sessionFromRow(row: SessionRow): Session {
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
export async function listLiveSessions(
  database: Queryable,
  now: number,
  page: Page,
): Promise<{ sessions: Session[]; total: number }> {
  const isLive = ['expires_at > $1', 'last_seen_at > $2'];
  const where = new Conditions(isLive, [new Date(now), new Date(now - sessionIdleMs)]);
  const list = { name: 'console_sessions', columns: sessionColumns, from: 'console_sessions', where };
  const { rows, total } = await readPage<SessionRow>(database, { ...list, orderBy: 'id desc' }, page);
  return { sessions: rows.map(sessionFromRow), total };
}
