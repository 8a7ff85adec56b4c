import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { addDays, type Day, yesterdayOf } from '../../../server/src/analytics/day.ts';
import type { AnalyticsStore } from '../../../server/src/analytics/store/analytics-store.ts';
import { eventKinds, type LearningEvent } from '../../../server/src/analytics/store/learning-event.ts';
import { randomHex } from '../../../server/src/lib/ids.ts';
import { milliseconds, perSecond } from '../bench-context.ts';
import { type LoadedRows, loadRows } from '../data/clickhouse-rows.ts';
import { openRowStore, openTwoStores, type RowStore, type TwoStores } from '../data/two-stores.ts';
import { type Part, type Ratio, ratioOf } from '../part.ts';
import { compare, median, millisecondsOf } from '../rounds.ts';

const brandId = 1;
const batchSize = 20_000;

/**
 * The two analytics stores on the same events: intake, the aggregation of a day, and in ClickHouse also size, pages at depth
 * and erasure. The engine is chDB behind HTTP, on the same machine.
 */
export const clickHouseStore: Part = {
  name: 'clickhouse',
  needs: 'clickhouse',
  async run(context) {
    const { scale, note } = context;
    const isFull = scale.name === 'full';
    const day = yesterdayOf(Date.now());
    const ratios: Ratio[] = [];
    const stores = await openTwoStores(context);
    try {
      const rounds = isFull ? 5 : 1;
      const events = isFull ? 1_000_000 : 5_000;
      ratios.push(await measureIntake(stores, day, rounds, events));
      ratios.push(await measureAggregation(stores, day, Math.min(scale.rounds, 3), events));
    } finally {
      await stores.close();
    }
    const file = join(context.dataDir, `clickhouse-rows-${scale.name}.json`);
    const known = await readFile(file, 'utf8').then(JSON.parse, () => null);
    const rowStore = await openRowStore(context, { isNew: known === null });
    try {
      const rows = isFull ? 50_000_000 : 50_000;
      const loaded: LoadedRows =
        known ?? (await loadRows(rowStore, { rows, lastDay: addDays(day, -1), note }));
      await writeFile(file, JSON.stringify(loaded));
      ratios.push(await measureRowBytes(rowStore, loaded));
      ratios.push(
        ...(await measurePages(rowStore, loaded, {
          pages: isFull ? 60 : 5,
          warmUpSeconds: scale.warmUpSeconds,
        })),
      );
      ratios.push(await measureErasure(rowStore, loaded));
      return ratios;
    } finally {
      await rowStore.close();
    }
  },
};

function makeEvents(count: number, day: Day): LearningEvent[] {
  const below = (limit: number) => Math.floor(Math.random() * limit);
  return Array.from({ length: count }, () => {
    const kind = eventKinds[below(7) < 4 ? 0 : 1 + below(3)] ?? 'view';
    const isQuiz = kind === 'quiz';
    const contentRefId = below(1_000);
    return {
      eventId: randomHex(16),
      occurredAt: new Date(Date.parse(day) + below(86_400_000)),
      day,
      kind,
      learnerId: below(100_000),
      contentRefId,
      contentType: contentRefId % 2 === 0 ? 'episode' : 'program',
      marketId: below(5) + 1,
      progress: kind === 'view' ? below(1_000) / 10 : null,
      score: isQuiz ? below(101) : null,
      questions: isQuiz ? 5 : null,
      answered: isQuiz ? below(6) : null,
      timeSpentSeconds: below(600),
      xpEarned: below(20),
    };
  });
}

/** Both stores receive the same events, so that both have `events` of the day afterwards. */
async function measureIntake(
  { postgres, clickHouse }: TwoStores,
  day: Day,
  rounds: number,
  events: number,
): Promise<Ratio> {
  const perRound = events / rounds;
  const batches = Array.from({ length: rounds }, () => makeEvents(perRound, day));
  const append = (store: AnalyticsStore) => async (round: number) => {
    const ofRound = batches[round] ?? [];
    const ms = await millisecondsOf(async () => {
      for (let first = 0; first < ofRound.length; first += batchSize)
        await store.appendEvents(brandId, ofRound.slice(first, first + batchSize));
    });
    return ofRound.length / (ms / 1_000);
  };
  return ratioOf(await compare(rounds, append(clickHouse), append(postgres)), {
    work: `intake of ${events.toLocaleString('en-US')} events in batches of ${batchSize.toLocaleString('en-US')}, ClickHouse`,
    format: (value) => perSecond(value, 'events'),
    yardstick: (value) => `PostgreSQL ${perSecond(value, 'events')}`,
    target: { atLeast: 1 },
  });
}

async function measureAggregation(
  { postgres, clickHouse }: TwoStores,
  day: Day,
  rounds: number,
  events: number,
): Promise<Ratio> {
  const facts = {
    marketIds: [1, 2, 3, 4, 5],
    excludedLearnerIds: [],
    totalLearners: 100_000,
    liveContent: { episodes: 500, programs: 500, quests: 0, products: 0 },
  };
  const counts = new Set<string>();
  const aggregate = (store: AnalyticsStore) => () =>
    millisecondsOf(async () => {
      const range = { from: day, to: day };
      const options = { at: new Date(), whenBusy: 'wait' } as const;
      const result = await store.aggregate(brandId, range, async () => facts, options);
      counts.add(JSON.stringify(result));
    });
  const compared = await compare(rounds, aggregate(postgres), aggregate(clickHouse));
  if (counts.size !== 1) throw new Error(`the stores differ: ${[...counts].join(' ')}`);
  return ratioOf(compared, {
    work: `aggregation of a day of ${events.toLocaleString('en-US')} events, PostgreSQL`,
    format: milliseconds,
    yardstick: (value) => `ClickHouse ${milliseconds(value)}`,
    target: { atLeast: 4 },
  });
}

async function measureRowBytes({ engineUrl }: RowStore, { brandId: loaded }: LoadedRows): Promise<Ratio> {
  const client = createClient({ url: engineUrl });
  try {
    const result = await client.query({
      query: `select sum(bytes_on_disk) / sum(rows) as bytes from system.parts
        where database = currentDatabase() and table = 'content_engagement' and active`,
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ bytes: number }>();
    const bytes = row?.bytes ?? Number.NaN;
    return against(`bytes of an engagement row in ClickHouse (brand ${loaded})`, `${bytes.toFixed(1)} B`, {
      value: bytes,
      limit: 60,
      unit: 'B',
    });
  } finally {
    await client.close();
  }
}

/** Pages of 500 from random keys, in windows of three lengths, with their look-up in PostgreSQL, after a warm-up. */
async function measurePages(
  { store }: RowStore,
  { brandId: loaded, range, learners, contents, rows }: LoadedRows,
  { pages, warmUpSeconds }: { readonly pages: number; readonly warmUpSeconds: number },
): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  for (const days of [1, 7, 91]) {
    const window = { from: addDays(range.to, 1 - days), to: range.to };
    const times: number[] = [];
    const warmUntil = performance.now() + warmUpSeconds * 1_000;
    for (let page = 0; page < pages; ) {
      const after = {
        contentRefId: Math.floor(Math.random() * (contents - 10)),
        day: addDays(window.from, Math.floor(Math.random() * days)),
        learnerId: Math.floor(Math.random() * learners),
      };
      let found = 0;
      const ms = await millisecondsOf(async () => {
        found = (await store.listContentEngagement(loaded, { range: window }, after, 500)).rows.length;
      });
      // Every key is far from the end, unless the data are those of a quick run.
      if (rows > 1_000_000 && found !== 500) throw new Error(`a page has ${found} rows`);
      if (performance.now() < warmUntil) continue;
      times.push(ms);
      page += 1;
    }
    const value = median(times);
    const work = `page of 500 at depth of ${rows.toLocaleString('en-US')} rows, window of ${days} days, ClickHouse, median`;
    ratios.push(against(work, milliseconds(value), { value, limit: 40, unit: 'ms' }));
  }
  return ratios;
}

async function measureErasure(
  { store }: RowStore,
  { brandId: loaded, learners }: LoadedRows,
): Promise<Ratio> {
  const times: number[] = [];
  // Rows that are kept for the next run have lost the learners of the earlier ones.
  for (let erased = 0; erased < 3; erased += 1) {
    const learnerId = Math.floor(Math.random() * learners);
    times.push(
      await millisecondsOf(() => store.eraseLearner(loaded, learnerId, { movesDays: true, at: new Date() })),
    );
  }
  const value = median(times) / 1_000;
  return against('erasure of a learner, ClickHouse', `${value.toFixed(2)} s`, { value, limit: 2, unit: 's' });
}

function against(
  work: string,
  measured: string,
  { value, limit, unit }: { readonly value: number; readonly limit: number; readonly unit: string },
): Ratio {
  return {
    work,
    measured,
    yardstick: `${limit} ${unit}`,
    ratio: value / limit,
    rounds: [],
    target: { atMost: 1 },
  };
}
