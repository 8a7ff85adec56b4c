import type pg from 'pg';

/** Reads the first day whose events were not dropped, of all brands; null: none were dropped. */
export async function readEventsKeptSince(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ day: string }>(
    `select to_char(kept_since, 'YYYY-MM-DD') as day from analytics.event_retention`,
  );
  return rows[0]?.day ?? null;
}

/** Creates the partitions of months that do not have one; `months` such as `2026-03`. Each is a short transaction. */
export async function makeEventMonths(client: pg.Client, months: readonly string[]): Promise<void> {
  for (const month of months)
    await client.query('select analytics.make_event_partition($1::date)', [`${month}-01`]);
}

/** Keeps events from being dropped until the transaction ends. */
export async function keepEventDays(client: pg.Client): Promise<void> {
  await client.query('lock table only analytics.learning_events in row exclusive mode');
}
