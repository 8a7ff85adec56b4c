import type pg from 'pg';
import type { Day } from '../../../server/src/analytics/day.ts';
import type { AnalyticsBrand } from './analytics-data.ts';

/** One learning event as a sender sees it; `learner` and `content` are positions in the brand's directory. */
export interface BenchEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: 'view' | 'completion' | 'success' | 'quiz';
  readonly learner: number;
  readonly content: number;
  readonly progress: number | null;
  readonly score: number | null;
  readonly answered: number | null;
  readonly seconds: number;
  readonly xp: number;
}

const kinds = ['view', 'view', 'view', 'view', 'completion', 'success', 'quiz'] as const;
const run = Date.now().toString(36);
let made = 0;

/** Creates events of one day. Ids are unique across calls and in random order. */
export function makeEvents(count: number, day: Day, { learners, contents }: AnalyticsBrand): BenchEvent[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const scattered = Math.imul(made, 0x9e3779b1) >>> 0;
    const below = (limit: number) => Math.floor(Math.random() * limit);
    const kind = kinds[below(kinds.length)] ?? 'view';
    const time = new Date(below(86_400) * 1_000).toISOString().slice(11, 19);
    return {
      id: `${scattered.toString(16).padStart(8, '0')}-${run}-${made}`,
      at: `${day}T${time}Z`,
      kind,
      learner: below(learners),
      content: below(contents),
      progress: kind === 'view' ? below(1_000) / 10 : null,
      score: kind === 'quiz' ? below(101) : null,
      answered: kind === 'quiz' ? below(6) : null,
      seconds: below(600),
      xp: below(20),
    };
  });
}

export const contentTypeOf = (content: number) => (content % 2 === 0 ? 'episode' : 'program');

/** Serialises events as NDJSON, in pieces of about 64 KiB. */
export function toNdjson(events: readonly BenchEvent[]): Buffer[] {
  return pieces(events, ({ id, at, kind, learner, content, progress, score, answered, seconds, xp }) =>
    JSON.stringify({
      event_id: id,
      occurred_at: at,
      kind,
      user: `u${learner}`,
      content: { type: contentTypeOf(content), tu_id: `c${content}` },
      ...(progress !== null && { progress }),
      ...(score !== null && { score, questions: 5, answered }),
      time_spent_seconds: seconds,
      xp_earned: xp,
    }),
  );
}

export function pieces(events: readonly BenchEvent[], lineOf: (event: BenchEvent) => string): Buffer[] {
  const buffers: Buffer[] = [];
  let text = '';
  for (const event of events) {
    text += `${lineOf(event)}\n`;
    if (text.length < 65_536) continue;
    buffers.push(Buffer.from(text));
    text = '';
  }
  buffers.push(Buffer.from(text));
  return buffers;
}

/** Inserts raw events of a day and their deduplication rows by SQL, without marking the day for aggregation. */
export async function insertEvents(
  client: pg.Client,
  { brandId, learners, contents }: AnalyticsBrand,
  day: Day,
  count: number,
): Promise<void> {
  await client.query(
    `with made as (
       insert into analytics.learning_events (brand_id, day, event_id, occurred_at, kind, user_id, content_ref_id,
         content_type, market_id, progress, score, questions, answered, time_spent_seconds, xp_earned)
       select $1, $2::date, md5($2::text || n), $2::date + (n % 86400) * interval '1 second', k.kind, l.id, c.id, c.type,
         l.market_id, case when k.kind = 'view' then (k.h % 1000) / 10.0 end, case when k.kind = 'quiz' then k.h % 101 end,
         case when k.kind = 'quiz' then 5 end, case when k.kind = 'quiz' then k.h % 6 end, k.h % 600, k.h % 20
       from generate_series(1, $3::integer) as n
       cross join lateral (select abs(hashint4(n)::bigint) as h,
         (array['view', 'view', 'view', 'view', 'completion', 'success', 'quiz'])[n % 7 + 1] as kind) k
       join learners l on l.brand_id = $1 and l.tu_id = 'u' || (k.h / 7) % $4::integer
       join contents c on c.brand_id = $1 and c.tu_id = 'c' || (k.h / 1000) % $5::integer
       returning brand_id, event_id, day
     )
     insert into analytics.event_claims (brand_id, event_id, day) select brand_id, event_id, day from made`,
    [brandId, day, count, learners, contents],
  );
  await client.query('vacuum (analyze) analytics.learning_events, analytics.event_claims');
}
