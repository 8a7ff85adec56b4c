import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { type Session, sessionIdleMs } from '../session.ts';
import { type SessionRow, sessionColumns, sessionFromRow } from '../session-store.ts';

const isLive = 'expires_at > $1 and last_seen_at > $2';

/** Lists one page of the sessions that have not ended, newest first, and counts all. `now`: milliseconds since the Unix epoch. */
export async function listLiveSessions(
  database: Queryable,
  now: number,
  page: Page,
): Promise<{ sessions: Session[]; total: number }> {
  const times = [new Date(now), new Date(now - sessionIdleMs)];
  const [rows, counts] = await Promise.all([
    database.run(
      statement<SessionRow>(
        'list_console_sessions',
        `select ${sessionColumns} from console_sessions where ${isLive} order by id desc limit $3 offset $4`,
        [...times, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_console_sessions',
        `select count(*) as total from console_sessions where ${isLive}`,
        times,
        { long: true },
      ),
    ),
  ]);
  return { sessions: rows.map(sessionFromRow), total: counts[0]?.total ?? 0 };
}
