import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** A mute of a concern, or of one of its subjects until a time [D307]. */
export interface Mute {
  readonly id: string;
  readonly until: Date | null;
}

export function listMutes(database: Queryable, now: Date): Promise<Mute[]> {
  return database.run(
    statement<Mute>(
      'list_mutes',
      `select id, muted_until as until from muted_concerns
       where muted_until is null or muted_until > $1::timestamptz`,
      [now],
    ),
  );
}

const mostDays = 90;

/** Mutes what these ids name, and forgets mutes that are older than 90 days. */
export async function addMutes(
  tx: Transaction,
  { ids, until, actor }: Pick<Mute, 'until'> & { readonly ids: readonly string[]; readonly actor: string },
): Promise<void> {
  await tx.run(
    statement<never>(
      'add_mutes',
      `with old as (
         delete from muted_concerns where muted_at < now_ms() - interval '${mostDays} days' and id <> all ($1::text[])
       )
       insert into muted_concerns (id, muted_until, actor) select id, $2, $3 from unnest($1::text[]) as n (id) order by id
       on conflict (id) do update set muted_at = now_ms(), muted_until = excluded.muted_until, actor = excluded.actor`,
      [ids, until, actor],
    ),
  );
}

/** Returns whether one of these was muted. */
export async function removeMutes(tx: Transaction, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.run(
    statement<{ id: string }>(
      'remove_mutes',
      'delete from muted_concerns where id = any ($1::text[]) returning id',
      [ids],
    ),
  );
  return rows.length > 0;
}
