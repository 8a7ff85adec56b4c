import type { Day } from '../day.ts';
import { counts, distinct, of, rate, score, seconds, sum, watch, xp } from './model-figures.ts';
import type { ModelContent, ModelEvent, ModelLearner } from './model-records.ts';

interface AggregatedDay {
  readonly events: readonly ModelEvent[];
  readonly totalLearners: number;
  readonly markets: readonly number[];
  readonly live: Record<string, number>;
}

type Events = readonly ModelEvent[];

/**
 * The analytics of one brand over plain arrays, written from the definitions alone [analytics-12] [analytics-33],
 * without any code of the product: no differences, no SQL, exact integers. The values of a day are fixed when it is
 * aggregated; running totals are summed on every read.
 */
export class ReferenceAnalytics {
  readonly users = new Map<number, ModelLearner>();
  readonly contents = new Map<number, ModelContent>();
  readonly markets = new Map<number, string>();
  activeProducts = 0;
  #events: ModelEvent[] = [];
  /** The events of each aggregation. An erasure removes a learner from the user-level rows only. */
  readonly #days = new Map<Day, AggregatedDay>();

  append(events: Events): void {
    for (const event of events)
      if (!this.#events.some(({ eventId }) => eventId === event.eventId)) this.#events.push(event);
  }

  erase(user: number): void {
    this.#events = this.#events.filter((event) => event.user !== user);
    const erased = this.users.get(user);
    if (erased !== undefined) erased.erased = true;
  }

  aggregate(days: readonly Day[]): void {
    const counted = [...this.users].filter(([, user]) => !user.optedOut && !user.erased);
    const ids = new Set(counted.map(([id]) => id));
    const live = (type: string) =>
      [...this.contents.values()].filter((c) => c.type === type && c.isListed && c.isLive).length;
    for (const day of days)
      this.#days.set(day, {
        events: this.#events.filter((event) => event.day === day && ids.has(event.user)),
        totalLearners: counted.length,
        markets: [...this.markets.keys()],
        live: {
          episodes: live('episode'),
          programs: live('program'),
          quests: live('quest'),
          products: this.activeProducts,
        },
      });
  }

  /** The rows of `/metrics/daily`. `markets`: rows by market instead of for the brand. */
  daily(scope: 'brand' | 'markets'): object[] {
    return this.#sorted().flatMap(([day, aggregated]) => {
      if (scope === 'brand') return [this.#dailyRow(day, aggregated, null)];
      return aggregated.markets
        .filter((market) => this.markets.has(market))
        .sort((a, b) => a - b)
        .map((market) => this.#dailyRow(day, aggregated, market));
    });
  }

  #dailyRow(day: Day, { events, live }: AggregatedDay, market: number | null): object {
    const own = market === null ? events : events.filter((event) => event.market === market);
    const inMarket = (event: ModelEvent) => market === null || event.market === market;
    // A market's totals include only the days on which it had a row.
    const before = this.#until(day, (of) => market === null || of.markets.includes(market)).filter(inMarket);
    const episodes = typeFigures(own.filter((event) => this.#typeOf(event) === 'episode'));
    const programs = typeFigures(own.filter((event) => this.#typeOf(event) === 'program'));
    const questEvents = own.filter((event) => this.#typeOf(event) === 'quest');
    return {
      date: day,
      market: market === null ? null : { tu_id: this.markets.get(market) },
      live_content: live,
      active_users: distinct(own, (event) => event.user),
      totals: { ...counts(own), xp_earned: xp(own), time_spent_seconds: seconds(own) },
      episodes,
      programs,
      quests: {
        ...typeFigures(questEvents),
        quiz_average_score: of(questEvents, 'quiz').length === 0 ? null : score(questEvents),
      },
      overall_completion_rate:
        of(own, 'view').length === 0 ? null : rate(of(own, 'completion').length, of(own, 'view').length),
      cumulative: { ...counts(before), xp_earned: xp(before) },
    };
  }

  /** The rows of `/metrics/contents`, in their order. */
  contentRows(): object[] {
    return this.#keyed(
      (event) => [event.content],
      (event) => this.#typeOf(event) !== 'quest',
      () => true,
    ).map(({ day, key: [content = 0], own, before, aggregated }) => ({
      date: day,
      content: this.#reference(content, true),
      market: null,
      pos: null,
      metrics: {
        ...counts(own),
        unique_views: distinct(of(own, 'view'), (event) => event.user),
        active_users: distinct(own, (event) => event.user),
        total_users: aggregated.totalLearners,
        engagement_rate: rate(
          distinct(own, (event) => event.user),
          aggregated.totalLearners,
        ),
        xp_earned: xp(own),
        time_spent_seconds: seconds(own),
        questions_count: sum(own, (event) => event.questions),
        quiz_average_score: score(own),
      },
      cumulative: {
        ...counts(before),
        watch_rate: watch(before),
        completion_rate: rate(of(before, 'completion').length, of(before, 'view').length),
        success_rate: rate(of(before, 'success').length, of(before, 'completion').length),
        quiz_average_score: score(before),
      },
    }));
  }

  /** The rows of `/users/daily` that may currently be shown, in their order. */
  userRows(): object[] {
    return this.#keyed(
      (event) => [event.user],
      () => true,
      ([user = 0]) => this.#isShown(user),
    ).map(({ day, key: [user = 0], own, before }) => ({
      date: day,
      user: { tu_id: this.users.get(user)?.tuId },
      market: null,
      pos: null,
      metrics: {
        ...this.#countsByType(own),
        xp_earned: xp(own),
        time_spent_seconds: seconds(own),
        overall_score: score(own),
      },
      cumulative: this.#countsByType(before),
    }));
  }

  /** The rows of `/users/contents` that may currently be shown, in their order. */
  engagementRows(): { metrics: { is_completed: boolean } }[] {
    const rows = this.#keyed(
      (event) => [event.content, event.user],
      (event) => this.#typeOf(event) !== 'quest',
      ([, user = 0]) => this.#isShown(user),
    );
    rows.sort((a, b) =>
      ascending([a.key[0], a.day, a.key[1]] as never[], [b.key[0], b.day, b.key[1]] as never[]),
    );
    return rows.map(({ day, key: [content = 0, user = 0], own, before }) => ({
      date: day,
      user: { tu_id: this.users.get(user)?.tuId },
      content: this.#reference(content, false),
      metrics: {
        views: of(own, 'view').length,
        xp_earned: xp(own),
        time_spent_seconds: seconds(own),
        is_completed: of(own, 'completion').length > 0,
        is_successful: of(own, 'success').length > 0,
        questions_count: sum(own, (event) => event.questions),
        quiz_average_score: score(own),
        quiz_completion_rate: rate(
          sum(own, (event) => event.answered),
          sum(own, (event) => event.questions),
        ),
      },
      cumulative: {
        views: of(before, 'view').length,
        xp_earned: xp(before),
        time_spent_seconds: seconds(before),
        quiz_average_score: score(before),
      },
    }));
  }

  /** One entry for each key and day with activity, ascending by key, then day. `before` extends to the end of the day. */
  #keyed(
    keyOf: (event: ModelEvent) => readonly number[],
    counts: (event: ModelEvent) => boolean,
    isShown: (key: readonly number[]) => boolean,
  ) {
    const found = this.#sorted().flatMap(([day, aggregated]) => {
      const byKey = Map.groupBy(aggregated.events.filter(counts), (event) => keyOf(event).join('/'));
      return [...byKey].map(([text, own]) => ({
        day,
        aggregated,
        key: keyOf(own[0] as ModelEvent),
        own,
        before: this.#until(day).filter((event) => counts(event) && keyOf(event).join('/') === text),
      }));
    });
    return found
      .filter(({ key }) => isShown(key))
      .sort((a, b) => ascending([...a.key, a.day] as never[], [...b.key, b.day] as never[]));
  }

  #sorted(): [Day, AggregatedDay][] {
    return [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #until(day: Day, counts: (of: AggregatedDay) => boolean = () => true): ModelEvent[] {
    return this.#sorted()
      .filter(([at, aggregated]) => at <= day && counts(aggregated))
      .flatMap(([, { events }]) => events);
  }

  #isShown(user: number): boolean {
    const known = this.users.get(user);
    return known !== undefined && !known.optedOut && !known.erased;
  }

  #typeOf(event: ModelEvent): string {
    return this.contents.get(event.content)?.type ?? '';
  }

  #reference(id: number, withName: boolean): object | null {
    const content = this.contents.get(id);
    if (content === undefined || !content.isListed) return null;
    const { tuId, type, name } = content;
    return { tu_id: tuId, type, ...(withName && { name }) };
  }

  #countsByType(events: Events) {
    const ofType = (type: string) => counts(events.filter((event) => this.#typeOf(event) === type));
    return {
      ...counts(events),
      episodes: ofType('episode'),
      programs: ofType('program'),
      quests: ofType('quest'),
    };
  }
}

function typeFigures(events: Events) {
  const { length: views } = of(events, 'view');
  const { length: completions } = of(events, 'completion');
  return {
    ...counts(events),
    time_spent_seconds: seconds(events),
    watch_rate: watch(events),
    completion_rate: rate(completions, views),
    success_rate: rate(of(events, 'success').length, completions),
    quiz_average_score: score(events),
  };
}

function ascending(a: readonly never[], b: readonly never[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] as never;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
