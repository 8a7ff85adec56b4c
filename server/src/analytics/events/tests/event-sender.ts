import type { TestApps } from '../../../../test/support/test-apps.ts';

export interface EventBrand {
  readonly brandId: number;
  readonly path: string;
}

/** Returns functions that create brands, and send and read their events. */
export function eventSender({ admin, sql, newBrand }: TestApps) {
  return {
    /** Creates a brand with the markets north and south, the learners ann, ben and out (opted out), and a content. */
    newBrand: async (): Promise<EventBrand> => {
      const { brandId } = await newBrand();
      const path = `/brands/${brandId}`;
      await admin.put(`${path}/markets`, { items: [{ tu_id: 'north' }, { tu_id: 'south' }] });
      await admin.put(`${path}/users`, {
        items: [
          { tu_id: 'ann', market: 'north' },
          { tu_id: 'ben' },
          { tu_id: 'out', analytics_opt_out: true },
        ],
      });
      await admin.put(`${path}/contents`, { items: [{ type: 'episode', tu_id: 'known' }] });
      return { brandId, path };
    },
    sendJson: ({ path }: EventBrand, items: unknown) => admin.post(`${path}/events`, { items }),
    sendLines: ({ path }: EventBrand, lines: string | Buffer) => {
      const headers = { 'content-type': 'application/x-ndjson' };
      return admin.request('POST', `${path}/events`, { body: lines, headers });
    },
    /** Lists the stored events by id. */
    stored: ({ brandId }: EventBrand) =>
      sql(
        `select event_id, market_id is not null as has_market, to_char(day, 'YYYY-MM-DD') as day
         from analytics.learning_events where brand_id = $1 order by event_id`,
        [brandId],
      ),
  };
}

let eventCount = 0;

/** Returns a valid event with a new id. */
export function event(more: object = {}): Record<string, unknown> {
  eventCount += 1;
  return {
    event_id: `e-${eventCount}`,
    occurred_at: '2026-03-01T10:00:00Z',
    kind: 'view',
    user: 'ann',
    content: { type: 'episode', tu_id: 'known' },
    ...more,
  };
}
