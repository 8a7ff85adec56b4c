import { setTimeout as sleep } from 'node:timers/promises';

interface Line {
  readonly sku: string;
  readonly location_code: string;
  readonly quantity: number;
}

/** Sends stock feeds and follows them to their end. */
export interface Feeds {
  /** Sends a feed and returns its id after the 202. */
  send(lines: readonly Line[]): Promise<string>;
  /** Waits until a feed is finished. Returns the seconds from its 202 to its `finished_at`. */
  secondsToApply(feedId: string): Promise<number>;
}

const path = '/v1/client/catalog/stock/feeds';
const run = Date.now().toString(36);
let nextBatch = 0;

export function openFeeds(clientUrl: string, headers: Readonly<Record<string, string>>): Feeds {
  /** The time of the 202, by feed. */
  const taken = new Map<string, number>();
  return {
    send: async (lines) => {
      nextBatch += 1;
      const response = await fetch(clientUrl + path, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'idempotency-key': `feed-${run}-${nextBatch}`,
        },
        body: JSON.stringify({ source: 'bench', mode: 'snapshot', lines }),
      });
      const at = Date.now();
      if (response.status !== 202) throw new Error(`feed: ${response.status} ${await response.text()}`);
      const { feed_id: feedId } = (await response.json()) as { feed_id: string };
      taken.set(feedId, at);
      return feedId;
    },
    secondsToApply: async (feedId) => {
      for (;;) {
        const response = await fetch(`${clientUrl}${path}/${feedId}?per_page=1`, { headers });
        const { status, message, finished_at } = (await response.json()) as Record<string, string>;
        if (status === 'failed') throw new Error(`feed ${feedId} failed: ${message}`);
        // The database and the benchmark share a machine and its clock.
        if (status === 'completed')
          return (Date.parse(finished_at as string) - (taken.get(feedId) as number)) / 1000;
        await sleep(100);
      }
    },
  };
}
