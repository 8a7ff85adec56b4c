import { type DayRange, daysIn } from '../day.ts';
import type { LearningData } from '../learning-data.ts';
import { contentRows } from './content-rows.ts';
import { dailyRows } from './daily-rows.ts';
import { engagementRows } from './engagement-rows.ts';
import type { CountedEvent } from './group.ts';
import { contentKey, type DatasetName, type ExpectedDirectory, type ExpectedRow } from './served-rows.ts';
import { userRows } from './user-rows.ts';

/** The expected result of sending a data set. */
export interface ExpectedIntake {
  readonly accepted: number;
  readonly excluded: number;
  /** Indexes of the events that are rejected, in the order of sending. */
  readonly rejected: readonly number[];
}

export interface Expected {
  readonly intake: ExpectedIntake;
  /** From the first to the last day with an event. */
  readonly range: DayRange;
  readonly datasets: Readonly<Record<DatasetName, readonly ExpectedRow[]>>;
}

/**
 * Computes the expected rows of the four datasets from the mapped events alone, by the definitions [analytics-33]. It
 * shares no code with the server and keeps everything in maps: slow, simple, and easy to verify by reading.
 */
export function expect(data: LearningData): Expected {
  const learners = new Map(data.users.map((user) => [user.tu_id, user]));
  const counted: CountedEvent[] = [];
  const rejected: number[] = [];
  let excluded = 0;
  let index = 0;
  for (const { day, event } of data.events()) {
    const learner = learners.get(event.user);
    if (day === null || learner === undefined) rejected.push(index);
    else if (learner.analytics_opt_out === true) excluded++;
    else counted.push({ day, event, market: event.market ?? learner.market ?? null });
    index++;
  }

  const live = (type: string) =>
    data.contents.filter((content) => content.type === type && content.is_live !== false).length;
  const directory: ExpectedDirectory = {
    markets: data.markets.map(({ tu_id }) => tu_id),
    contents: new Map(data.contents.map((content) => [contentKey(content), content])),
    totalUsers: data.users.filter((user) => user.analytics_opt_out !== true).length,
    live: { episodes: live('episode'), programs: live('program'), quests: live('quest') },
  };
  const range = rangeOf(counted);
  return {
    intake: { accepted: counted.length, excluded, rejected },
    range,
    datasets: {
      daily: dailyRows(counted, directory, daysIn(range)),
      contents: contentRows(counted, directory),
      users: userRows(counted),
      content_engagement: engagementRows(counted, directory),
    },
  };
}

function rangeOf(events: readonly CountedEvent[]): DayRange {
  let [from, to] = ['9999-12-31', '0001-01-01'];
  for (const { day } of events) {
    if (day < from) from = day;
    if (day > to) to = day;
  }
  return { from, to };
}
