import process from 'node:process';
import type pg from 'pg';
import { type BenchContext, type Load, perSecond, rate, warmUp } from '../bench-context.ts';
import { type AnalyticsBrand, analyticsBrand } from '../data/analytics-data.ts';
import { startPostgresMeter } from '../load/measure-load.ts';
import { type Part, ratioOf } from '../part.ts';
import { connectMany } from '../postgres.ts';
import { compare, type Measured } from '../rounds.ts';
import { deepPages, wholeAnalytics } from './targets.ts';

const perPage = 500;
/** Concurrent walkers. The yardstick uses as many connections. */
const walkers = 8;

/**
 * Compares the first page and the 10,000th (or the last but one) of a walk over learner x content x day rows with each
 * other and with the same range scan through the driver: the columns of a page by the primary key, on as many
 * connections.
 */
export const analyticsPages: Part = {
  name: 'analytics-pages',
  async run(context) {
    const { scale, service, postgres } = context;
    const brand = await analyticsBrand(context);
    const number = Math.min(10_000, Math.floor(brand.rows / perPage) - 1);
    const deep = await walkTo(context, brand, number);
    const clients = await connectMany(postgres.address, walkers);
    try {
      const load = (cursor: string | null): Load => ({
        on: service.endpoint,
        connections: walkers,
        requests: [{ path: pathOf(brand, cursor), headers: brand.headers }],
      });
      const [first, later] = [load(null), load(deep.cursor)];
      for (const each of [first, later]) await warmUp(context, each);
      const ask = (after: Key | null, seconds = scale.roundSeconds) =>
        askRange({ clients, postmasterPid: postgres.pid, seconds }, brand, after);
      for (const after of [null, deep.after]) await ask(after, scale.warmUpSeconds);
      const againstFirst = await compare(
        scale.rounds,
        () => rate(context, later),
        () => rate(context, first),
      );
      const firstBare = await compare(
        scale.rounds,
        () => rate(context, first),
        () => ask(null),
      );
      const laterBare = await compare(
        scale.rounds,
        () => rate(context, later),
        () => ask(deep.after),
      );
      const pageName = `analytics page ${number.toLocaleString('en-US')} of a walk at ${perPage}`;
      const format = (value: number) => perSecond(value, 'pages');
      const bare = (value: number) => `bare range scan ${format(value)}`;
      return [
        ratioOf(againstFirst, {
          work: pageName,
          format,
          yardstick: (value) => `the first page ${format(value)}`,
          target: deepPages,
        }),
        ratioOf(firstBare, {
          work: `the first analytics page of ${perPage}, ${walkers} connections`,
          format,
          yardstick: bare,
          target: wholeAnalytics,
        }),
        ratioOf(laterBare, {
          work: `${pageName}, ${walkers} connections`,
          format,
          yardstick: bare,
          target: wholeAnalytics,
        }),
      ];
    } finally {
      for (const client of clients) await client.end();
    }
  },
};

function pathOf({ range }: AnalyticsBrand, cursor: string | null): string {
  const query = new URLSearchParams({ from: range.from, to: range.to, per_page: String(perPage) });
  if (cursor !== null) query.set('cursor', cursor);
  return `/v1/client/analytics/users/contents?${query}`;
}

/** The order of the walk: content, day, learner. */
type Key = readonly [number, string, number];

/** Walks from the first page to the given one. Returns the cursor of that page. */
async function walkTo(
  { client, service, note }: BenchContext,
  brand: AnalyticsBrand,
  number: number,
): Promise<{ cursor: string; after: Key }> {
  note(`walking to page ${number.toLocaleString('en-US')} …`);
  let cursor: string | null = null;
  let read = 0;
  for (let page = 1; page < number; page += 1) {
    const response: Response = await fetch(service.clientUrl + pathOf(brand, cursor), {
      headers: brand.headers,
    });
    const { data, meta } = (await response.json()) as Page;
    read += data.length;
    cursor = meta.next_cursor;
    if (cursor === null) throw new Error(`the walk ended on page ${page}`);
  }
  // No learner is excluded, so every page is full.
  if (cursor === null || read !== (number - 1) * perPage) throw new Error(`the walk read ${read} rows`);
  const { rows } = await client.query<{ key: Key }>(
    `select json_build_array(content_ref_id, day, user_id) as key from analytics.content_engagement
     where brand_id = $1 and day between $2 and $3
     order by content_ref_id, day, user_id limit 1 offset $4`,
    [brand.brandId, brand.range.from, brand.range.to, read - 1],
  );
  return { cursor, after: rows[0]?.key as Key };
}

interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly next_cursor: string | null };
}

interface Walkers {
  readonly clients: readonly pg.Client[];
  readonly postmasterPid: number;
  readonly seconds: number;
}

/** Runs the yardstick: one connection per walker, in a closed loop. Returns pages per second. */
async function askRange(
  { clients, postmasterPid, seconds }: Walkers,
  { brandId, range }: AnalyticsBrand,
  after: Key | null,
): Promise<Measured> {
  const postgres = await startPostgresMeter(postmasterPid);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;
  let pages = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.query({
          name: after === null ? 'bench_first_range' : 'bench_range_after',
          text: `select content_ref_id, day, user_id, views, completions, successes, xp_earned, time_spent_seconds, questions,
              answered, score_sum, score_count, cumulative_views, cumulative_xp_earned,
              cumulative_time_spent_seconds, cumulative_score_sum, cumulative_score_count
            from analytics.content_engagement
            where brand_id = $1 and day between $2 and $3
              ${after === null ? '' : 'and (content_ref_id, day, user_id) > ($4, $5, $6)'}
            order by content_ref_id, day, user_id
            limit ${perPage + 1}`,
          values: [brandId, range.from, range.to, ...(after ?? [])],
        });
        pages += 1;
      }
    }),
  );
  const taken = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    value: pages / taken,
    cpu: {
      generator: (user + system) / pages,
      server: null,
      postgres: ((await postgres.milliseconds()) * 1000) / pages,
    },
  };
}
