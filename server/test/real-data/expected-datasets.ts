import { addDays, type DatedEvent, type Day, type LearningEvent, type LearningLog } from './oulad.ts';

/** A row as served, with its market, learner and content. */
export interface Row {
  readonly date: Day;
  readonly market?: { readonly tu_id: string } | null;
  readonly user?: { readonly tu_id: string };
  readonly content?: { readonly type: string; readonly tu_id: string };
  readonly [field: string]: unknown;
}

export interface ExpectedDatasets {
  readonly daily: readonly Row[];
  readonly dailyByMarket: readonly Row[];
  readonly contents: readonly Row[];
  readonly users: readonly Row[];
  readonly engagement: readonly Row[];
}

interface CountedEvent extends DatedEvent {
  /** The event's own, or the learner's. */
  readonly market: string;
}

type Events = readonly CountedEvent[];

/**
 * Computes the rows of the four datasets from the events, by the definitions [analytics-33]. It shares no code with the
 * server and groups the events in maps. The log has no durations, questions or progress; these fields are 0.
 */
export function expectDatasets(log: LearningLog, days: readonly Day[]): ExpectedDatasets {
  const marketOf = new Map(log.users.map(({ tu_id, market }) => [tu_id, market]));
  const events = log.events.map((dated) => ({
    ...dated,
    market: dated.event.market ?? (marketOf.get(dated.event.user) as string),
  }));
  const withoutQuests = events.filter(({ event }) => event.content.type !== 'quest');
  const live = (type: string) =>
    log.contents.filter((content) => content.type === type && content.is_live).length;
  const liveContent = {
    episodes: live('episode'),
    programs: live('program'),
    quests: live('quest'),
    products: 0,
  };
  const names = new Map(log.contents.map(({ tu_id, name }) => [tu_id, name ?? null]));
  const byMarket = Map.groupBy(events, ({ market }) => market);
  return {
    daily: dailyRows(events, null, days, liveContent),
    dailyByMarket: log.markets.flatMap(({ tu_id }) =>
      dailyRows(byMarket.get(tu_id) ?? [], { tu_id }, days, liveContent),
    ),
    contents: contentRows(withoutQuests, names, log.users.length),
    users: userRows(events),
    engagement: engagementRows(withoutQuests),
  };
}

/** A row for every day, with or without events. */
function dailyRows(events: Events, market: Row['market'], days: readonly Day[], liveContent: object): Row[] {
  const eventsOf = Map.groupBy(events, ({ day }) => day);
  const running = new Tally();
  return days.map((date) => {
    const today = eventsOf.get(date) ?? [];
    const total = running.addAll(today);
    const quests = tallyOf(today, 'quest');
    return {
      date,
      market: market ?? null,
      live_content: liveContent,
      active_users: learnersIn(today),
      totals: { ...total.counts, xp_earned: total.xp, time_spent_seconds: 0 },
      episodes: typeFigures(tallyOf(today, 'episode')),
      programs: typeFigures(tallyOf(today, 'program')),
      quests: { ...typeFigures(quests), quiz_average_score: quests.quizzes === 0 ? null : quests.meanScore },
      overall_completion_rate: total.views === 0 ? null : rate(total.completions, total.views),
      cumulative: { ...running.counts, xp_earned: running.xp },
    };
  });
}

function typeFigures(tally: Tally) {
  return {
    ...tally.counts,
    time_spent_seconds: 0,
    watch_rate: 0,
    completion_rate: rate(tally.completions, tally.views),
    success_rate: rate(tally.successes, tally.completions),
    quiz_average_score: tally.meanScore,
  };
}

/** A row for each content and day with an event. */
function contentRows(events: Events, names: ReadonlyMap<string, string | null>, totalUsers: number): Row[] {
  return rowsBy(events, ({ content }) => content.tu_id).map(({ date, today, event, total, running }) => ({
    date,
    content: { ...event.content, name: names.get(event.content.tu_id) ?? null },
    market: null,
    pos: null,
    metrics: {
      ...total.counts,
      unique_views: learnersIn(today.filter((one) => one.event.kind === 'view')),
      active_users: learnersIn(today),
      total_users: totalUsers,
      engagement_rate: rate(learnersIn(today), totalUsers),
      xp_earned: total.xp,
      time_spent_seconds: 0,
      questions_count: 0,
      quiz_average_score: total.meanScore,
    },
    cumulative: {
      ...running.counts,
      watch_rate: 0,
      completion_rate: rate(running.completions, running.views),
      success_rate: rate(running.successes, running.completions),
      quiz_average_score: running.meanScore,
    },
  }));
}

/** A row for each learner and day with an event. */
function userRows(events: Events): Row[] {
  const rows = rowsBy(events, ({ user }) => user);
  const until = new Map<string, CountedEvent[]>();
  return rows.map(({ date, today, event, total }) => {
    const before = [...(until.get(event.user) ?? []), ...today];
    until.set(event.user, before);
    return {
      date,
      user: { tu_id: event.user },
      market: null,
      pos: null,
      metrics: {
        ...countsByType(today),
        xp_earned: total.xp,
        time_spent_seconds: 0,
        overall_score: total.meanScore,
      },
      cumulative: countsByType(before),
    };
  });
}

/** A row for each learner, content and day with an event. */
function engagementRows(events: Events): Row[] {
  const keyOf = ({ user, content }: LearningEvent) => `${content.tu_id} ${user}`;
  return rowsBy(events, keyOf).map(({ date, event, total, running }) => ({
    date,
    user: { tu_id: event.user },
    content: event.content,
    metrics: {
      views: total.views,
      xp_earned: total.xp,
      time_spent_seconds: 0,
      is_completed: total.completions > 0,
      is_successful: total.successes > 0,
      questions_count: 0,
      quiz_average_score: total.meanScore,
      quiz_completion_rate: 0,
    },
    cumulative: {
      views: running.views,
      xp_earned: running.xp,
      time_spent_seconds: 0,
      quiz_average_score: running.meanScore,
    },
  }));
}

/** An entry for each key and day with an event; `running` is a copy at the end of the day. */
function rowsBy(events: Events, keyOf: (event: LearningEvent) => string) {
  return [...Map.groupBy(events, ({ event }) => keyOf(event)).values()].flatMap((ofKey) => {
    const running = new Tally();
    const { event } = ofKey[0] as CountedEvent;
    const days = [...Map.groupBy(ofKey, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
    return days.map(([date, today]) => {
      const total = running.addAll(today);
      return { date, today, event, total, running: running.copy() };
    });
  });
}

const learnersIn = (events: Events) => new Set(events.map(({ event }) => event.user)).size;
const tallyOf = (events: Events, type: string) =>
  new Tally().addAll(events.filter(({ event }) => event.content.type === type));

function countsByType(events: Events) {
  return {
    ...new Tally().addAll(events).counts,
    episodes: tallyOf(events, 'episode').counts,
    programs: tallyOf(events, 'program').counts,
    quests: tallyOf(events, 'quest').counts,
  };
}

/** Sums over events. */
class Tally {
  views = 0;
  completions = 0;
  successes = 0;
  xp = 0;
  quizzes = 0;
  scores = 0;

  /** Adds the events, and returns the sums of them alone. */
  addAll(events: Events): Tally {
    const own = new Tally();
    for (const { event } of events) {
      if (event.kind === 'view') own.views++;
      if (event.kind === 'completion') own.completions++;
      if (event.kind === 'success') own.successes++;
      if (event.kind === 'quiz') own.quizzes++;
      own.xp += event.xp_earned ?? 0;
      own.scores += event.score ?? 0;
    }
    for (const name of Object.keys(own) as (keyof Sums)[]) this[name] += own[name];
    return own;
  }

  copy(): Tally {
    return Object.assign(new Tally(), this);
  }

  get counts() {
    const { views, completions, successes } = this;
    return { views, completions, successes };
  }

  /** To 2 decimals; 0 without a quiz. */
  get meanScore(): number {
    return this.quizzes === 0 ? 0 : Math.round((this.scores * 100) / this.quizzes) / 100;
  }
}

type Sums = Pick<Tally, 'views' | 'completions' | 'successes' | 'xp' | 'quizzes' | 'scores'>;

/** In percent to 2 decimals, at most 100; 0 if `whole` is 0. A half is exact as a double, and is rounded up. */
function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, Math.round((part * 10_000) / whole) / 100);
}

/** Every day from the first to the last event. */
export function daysOf({ events }: LearningLog): Day[] {
  const [first = '', last = ''] = events.reduce<[Day?, Day?]>(
    ([from, to], { day }) => [
      from === undefined || day < from ? day : from,
      to === undefined || day > to ? day : to,
    ],
    [],
  );
  const days: Day[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
