import { type DayRange, dayNumberOf } from '../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../server/src/analytics/store/datasets.ts';
import { countedTypes } from '../../../../server/src/analytics/store/datasets.ts';
import type { DirectoryAtAggregation } from '../../../../server/src/analytics/store/engine.ts';
import { type DatasetShape, shapes } from './dataset-shape.ts';
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
  active_users: () => 'uniqExact(user_id)',
  unique_views: () => `uniqExactIf(user_id, kind = 'view')`,
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

/** The expressions of a dataset's sums, such as `views` and, of one content type, `episode_views`. */
function sumsOf({ sums }: DatasetShape): string {
  return sums
    .map((column) => {
      const type = countedTypes.find((each) => column.startsWith(`${each}_`));
      const figure = figures[type === undefined ? column : column.slice(type.length + 1)];
      return `${figure?.(type === undefined ? '' : ` and content_type = '${type}'`)} as ${column}`;
    })
    .join(', ');
}

/** A condition on the table of events. */
function counted({ brandId, range, isCommitted, hidden, excludedLearnerIds }: CountedEvents): string {
  const excluded = excludedLearnerIds.length === 0 ? '' : ` and user_id not in ${listOf(excludedLearnerIds)}`;
  return `from learning_events where brand_id = ${integer(brandId)} and ${within(range)} and ${isCommitted}${withoutHidden(hidden)}${excluded}`;
}

/** A select of the new rows of a dataset: day, keys, attributes and sums. */
export function freshRows(
  dataset: DatasetName,
  events: CountedEvents,
  directory: DirectoryAtAggregation,
): string {
  if (dataset === 'daily') return freshDaily(events, directory);
  const shape = shapes[dataset];
  const attributes = shape.attributes.map((column) =>
    column === 'total_users'
      ? `toInt64(${integer(directory.totalLearners)}) as total_users, `
      : `min(${column}) as ${column}, `,
  );
  const keys = ['day', ...shape.keys].join(', ');
  const ofContents = dataset === 'users' ? '' : ` and content_type != 'quest'`;
  return `select ${keys}, ${attributes.join('')}${sumsOf(shape)} ${counted(events)}${ofContents} group by ${keys}`;
}

/** Every day has a row for the brand (market 0) and for each of its markets. */
function freshDaily(events: CountedEvents, { marketIds, liveContent }: DirectoryAtAggregation): string {
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
        ${sumsOf(shapes.daily)} ${counted(events)} group by day, market
    ) g on g.day = d.day and g.market = d.market_id`;
}
