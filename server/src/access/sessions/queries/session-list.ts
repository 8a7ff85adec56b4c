import type { Page } from '../../../api/pagination.ts';
import { Conditions } from '../../../postgres/conditions.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { readPage } from '../../../postgres/read-page.ts';
import { type Session, sessionIdleMs } from '../session.ts';
import { type SessionRow, sessionColumns, sessionFromRow } from '../session-store.ts';

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
