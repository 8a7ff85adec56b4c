import { type DayRange, dayNumberOf } from '../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../server/src/analytics/store/datasets.ts';
import { countedTypes } from '../../../../server/src/analytics/store/datasets.ts';
import type { AggregationFacts } from '../../../../server/src/analytics/store/engine.ts';
import { counts, efforts, shapes, typeFigures } from './dataset-shape.ts';
import { type HiddenLearner, withoutHidden } from './hidden-learner-store.ts';
import { integer, listOf, within } from './literals.ts';

/** The events that an aggregation counts. */
export interface CountedEvents {
  readonly brandId: number;
  readonly range: DayRange;
  /** A condition: the event belongs to a committed batch. */
  readonly isCommitted: string;
  readonly hidden: readonly HiddenLearner[];
  readonly excludedLearnerIds: readonly number[];
}

/** Expressions over a group of events, in exact integers and decimals. */
const figures: Readonly<Record<string, (also: string) => string>> = {
  views: (also) => `countIf(kind = 'view'${also})`,
  completions: (also) => `countIf(kind = 'completion'${also})`,
  successes: (also) => `countIf(kind = 'success'${also})`,
  xp_earned: (also) => `sumIf(xp_earned, 1${also})`,
  time_spent_seconds: (also) => `sumIf(time_spent_seconds, 1${also})`,
  progress_sum: (also) => `sumIf(assumeNotNull(progress), isNotNull(progress) and kind = 'view'${also})`,
  progress_count: (also) => `countIf(isNotNull(progress) and kind = 'view'${also})`,
  score_sum: (also) => `sumIf(assumeNotNull(score), isNotNull(score) and kind = 'quiz'${also})`,
  score_count: (also) => `countIf(isNotNull(score) and kind = 'quiz'${also})`,
  questions: (also) => `sumIf(assumeNotNull(questions), isNotNull(questions)${also})`,
  answered: (also) => `sumIf(assumeNotNull(answered), isNotNull(answered)${also})`,
};

const selected = (columns: readonly string[], also = '', prefix = '') =>
  columns.map((column) => `${figures[column]?.(also)} as ${prefix}${column}`).join(', ');
const byType = (columns: readonly string[]) =>
  countedTypes.map((type) => selected(columns, ` and content_type = '${type}'`, `${type}_`)).join(', ');

/** A condition on the table of events. */
function counted({ brandId, range, isCommitted, hidden, excludedLearnerIds }: CountedEvents): string {
  const excluded = excludedLearnerIds.length === 0 ? '' : ` and user_id not in ${listOf(excludedLearnerIds)}`;
  return `from learning_events where brand_id = ${integer(brandId)} and ${within(range)} and ${isCommitted}${withoutHidden(hidden)}${excluded}`;
}

/** A select of the new rows of a dataset: day, keys, attributes and sums. */
export function freshRows(dataset: DatasetName, events: CountedEvents, facts: AggregationFacts): string {
  const from = counted(events);
  switch (dataset) {
    case 'daily':
      return freshDaily(events, facts);
    case 'contents':
      return `select day, content_ref_id, min(content_type) as content_type,
          toInt64(${integer(facts.totalLearners)}) as total_users, uniqExactIf(user_id, kind = 'view') as unique_views,
          uniqExact(user_id) as active_users,
          ${selected([...counts, ...efforts, 'questions', 'progress_sum', 'progress_count', 'score_sum', 'score_count'])}
        ${from} and content_type != 'quest' group by day, content_ref_id`;
    case 'users':
      return `select day, user_id, ${selected([...counts, ...efforts, 'score_sum', 'score_count'])}, ${byType(counts)}
        ${from} group by day, user_id`;
    case 'content_engagement':
      return `select day, user_id, content_ref_id, min(content_type) as content_type,
          ${selected([...counts, ...efforts, 'questions', 'answered', 'score_sum', 'score_count'])}
        ${from} and content_type != 'quest' group by day, user_id, content_ref_id`;
  }
}

/** Every day has a row for the brand (market 0) and for each of its markets. */
function freshDaily(events: CountedEvents, { marketIds, liveContent }: AggregationFacts): string {
  const { from, to } = events.range;
  const { episodes, programs, quests, products } = liveContent;
  const columns = shapes.daily.sums;
  return `select d.day as day, d.market_id as market_id, toInt64(${integer(episodes)}) as live_episodes,
      toInt64(${integer(programs)}) as live_programs, toInt64(${integer(quests)}) as live_quests,
      toInt64(${integer(products)}) as live_products, ${columns.map((column) => `g.${column} as ${column}`).join(', ')}
    from (
      select arrayJoin(arrayMap(n -> toInt32(n), range(${dayNumberOf(from)}, ${dayNumberOf(to) + 1}))) as day,
        toInt64(arrayJoin([${[0, ...marketIds].map(integer).join(', ')}])) as market_id
    ) d
    left join (
      select day, toInt64(arrayJoin(if(isNull(market_id), [0], [0, assumeNotNull(market_id)]))) as market,
        uniqExact(user_id) as active_users, ${selected([...counts, ...efforts])}, ${byType(typeFigures)}
      ${counted(events)} group by day, market
    ) g on g.day = d.day and g.market = d.market_id`;
}
