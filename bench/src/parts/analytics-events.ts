import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { type Day, dayOf } from '../../../server/src/analytics/day.ts';
import { type BenchContext, milliseconds, perSecond } from '../bench-context.ts';
import { copyIn } from '../data/analytics-copy.ts';
import { type AnalyticsBrand, analyticsBrand } from '../data/analytics-data.ts';
import { type BenchEvent, contentTypeOf, makeEvents, pieces, toNdjson } from '../data/analytics-events.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare, median } from '../rounds.ts';

// The token that `service.ts` gives the server.
const adminToken = 'bench-admin-token-of-32-characters';

/** Events per statement of the yardstick. More or fewer are slower. */
const copiedAtATime = 10_000;

/**
 * Sends learning events as NDJSON in one request, compared with COPY into a temporary table and the two inserts that
 * deduplicate events, into the same tables. Both start with prepared bytes; those of the yardstick contain ids instead
 * of names.
 */
export const eventIngestion: Part = {
  name: 'events',
  async run(context) {
    const { scale, service, client } = context;
    const brand = await analyticsBrand(context);
    const count = scale.name === 'full' ? 250_000 : 5_000;
    const today = dayOf(Date.now());
    const directory = await readDirectory(client, brand);
    const warmUp = Math.min(count, 20_000);
    await sendEvents(context, brand, makeEvents(warmUp, today, brand));
    await copyEvents(client, directory, makeEvents(warmUp, today, brand), today);
    const delays: number[] = [];
    const compared = await compare(
      scale.rounds,
      async () => {
        const events = makeEvents(count, today, brand);
        // Resets the delays, so that they cover this round only.
        await service.readVitals();
        const perSecond = await sendEvents(context, brand, events);
        delays.push((await service.readVitals()).eventLoopP99);
        return perSecond;
      },
      () => copyEvents(client, directory, makeEvents(count, today, brand), today),
    );
    const eventLoopP99 = median(delays);
    const { residentMb } = await service.readVitals();
    return [
      ratioOf(compared, {
        work: `events by NDJSON, ${count.toLocaleString('en-US')} in one request`,
        format: (value) => perSecond(value, 'events'),
        yardstick: (value) => `COPY with deduplication ${perSecond(value, 'events')}`,
        target: {
          of: 'figure',
          atLeast: 8_000,
          why: 'ten million events of a day are sent in twenty minutes',
        },
      }),
      {
        work: 'event loop delay p99 while events come in',
        measured: milliseconds(eventLoopP99),
        yardstick: '20 ms',
        ratio: eventLoopP99 / 20,
        figure: eventLoopP99,
        rounds: delays.map((delay) => delay / 20),
        target: { atMost: 1, why: 'other requests do not notice it' },
      },
      {
        work: 'resident memory of the server after the events',
        measured: `${Math.round(residentMb)} MB`,
        yardstick: '300 MB',
        ratio: residentMb / 300,
        figure: residentMb,
        rounds: [],
        target: { atMost: 1, why: 'it fits a container of 512 MB' },
      },
    ];
  },
};

/** Returns events per second. @throws Error when not every event was stored */
export async function sendEvents(
  { service }: Pick<BenchContext, 'service'>,
  { brandId }: AnalyticsBrand,
  events: readonly BenchEvent[],
): Promise<number> {
  const body = toNdjson(events);
  const start = performance.now();
  const sender = request(`${service.internalUrl}/internal/v1/brands/${brandId}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/x-ndjson' },
  });
  const answered = once(sender, 'response') as Promise<[Readable]>;
  await pipeline(Readable.from(body), sender);
  const [response] = await answered;
  const result = (await json(response)) as { accepted: number };
  const seconds = (performance.now() - start) / 1000;
  if (result.accepted !== events.length)
    throw new Error(`not all events were stored: ${JSON.stringify(result)}`);
  return events.length / seconds;
}

interface Directory {
  /** The yardstick's events belong to no existing brand. */
  readonly brandId: number;
  readonly learnerIds: readonly number[];
  readonly marketIds: readonly number[];
  readonly contentIds: readonly number[];
}

async function readDirectory(client: pg.Client, { brandId }: AnalyticsBrand): Promise<Directory> {
  const { rows: learners } = await client.query<{ id: number; market_id: number }>(
    'select id, market_id from learners where brand_id = $1 order by id',
    [brandId],
  );
  const { rows: contents } = await client.query<{ id: number }>(
    'select id from contents where brand_id = $1 order by id',
    [brandId],
  );
  return {
    brandId: -brandId,
    learnerIds: learners.map(({ id }) => id),
    marketIds: learners.map(({ market_id }) => market_id),
    contentIds: contents.map(({ id }) => id),
  };
}

const columns = `brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id, content_type, market_id, progress, score,
  questions, answered, time_spent_seconds, xp_earned`;

/** Runs the yardstick. Returns events per second. */
async function copyEvents(
  client: pg.Client,
  { brandId, learnerIds, marketIds, contentIds }: Directory,
  events: readonly BenchEvent[],
  day: Day,
): Promise<number> {
  const lineOf = ({ id, at, kind, learner, content, progress, score, answered, seconds, xp }: BenchEvent) =>
    [
      brandId,
      day,
      id,
      at,
      kind,
      learnerIds[learner],
      contentIds[content],
      contentTypeOf(content),
      marketIds[learner],
      progress ?? '\\N',
      score ?? '\\N',
      score === null ? '\\N' : 5,
      answered ?? '\\N',
      seconds,
      xp,
    ].join('\t');
  const batches: Buffer[][] = [];
  for (let first = 0; first < events.length; first += copiedAtATime)
    batches.push(pieces(events.slice(first, first + copiedAtATime), lineOf));
  const start = performance.now();
  for (const batch of batches) {
    await client.query('begin');
    await client.query('create temporary table copied (like analytics.learning_events) on commit drop');
    await copyIn(client, `copy copied (${columns}) from stdin`, batch);
    await client.query(
      `with claimed as (
         insert into analytics.event_claims (brand_id, event_id, day)
         select brand_id, event_id, day from copied order by event_id
         on conflict do nothing
         returning event_id
       )
       insert into analytics.learning_events (${columns})
       select ${columns} from copied where event_id in (select event_id from claimed)`,
    );
    await client.query('commit');
  }
  return events.length / ((performance.now() - start) / 1000);
}
