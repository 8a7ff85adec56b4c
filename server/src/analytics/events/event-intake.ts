import type { ServiceContext } from '../../api/operation.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { dayOf } from '../day.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import type { LearningEvent } from '../store/learning-event.ts';
import {
  type EventLearner,
  findEventMarkets,
  lockEventLearners,
  referContents,
} from './event-directory-store.ts';
import { readSentEvent, type SentEvent } from './sent-event.ts';

export interface RejectedEvent {
  /** 0-based place in the list, or line of the stream. */
  readonly index: number;
  readonly message: string;
}

export interface IntakeResult {
  readonly accepted: number;
  readonly duplicates: number;
  /** Of learners who are opted out: dropped, never stored. */
  readonly excluded: number;
  /** At most `maxListed` of the rejections; the count is of all. */
  readonly rejected: readonly RejectedEvent[];
  readonly rejectedCount: number;
}

/** Events that are worked on together, in one transaction. */
const batchSize = 2_000;
/** A stream of millions of bad lines must not fill the memory with what is wrong with each. */
const maxListed = 10_000;

interface IndexedEvent {
  readonly index: number;
  readonly event: SentEvent;
}

/**
 * Takes the events of one request in, in batches, each committed by itself: a request that breaks off has stored whole
 * batches, and sending it again stores the rest, because events that are known count as duplicates. A bad event never
 * stops the good ones. Order of the checks: shape, user, market, exclusion, duplication.
 */
export class EventIntake {
  readonly #context: ServiceContext;
  readonly #store: AnalyticsStore;
  readonly #brandId: number;
  #batch: IndexedEvent[] = [];
  #rejected: RejectedEvent[] = [];
  #counts = { accepted: 0, duplicates: 0, excluded: 0, rejected: 0 };

  constructor(context: ServiceContext, store: AnalyticsStore, brandId: number) {
    this.#context = context;
    this.#store = store;
    this.#brandId = brandId;
  }

  /** Takes one event as it was parsed from JSON. Resolves when there is room for the next one. */
  async add(index: number, value: unknown): Promise<void> {
    const event = readSentEvent(value, this.#context.clock.now());
    if (typeof event === 'string') return this.reject(index, event);
    this.#batch.push({ index, event });
    if (this.#batch.length >= batchSize) await this.#flush();
  }

  reject(index: number, message: string): void {
    this.#counts.rejected += 1;
    if (this.#rejected.length < maxListed) this.#rejected.push({ index, message });
  }

  /** Stores what is left and tells what became of all. */
  async finish(): Promise<IntakeResult> {
    await this.#flush();
    const { rejected: rejectedCount, ...counts } = this.#counts;
    // A rejection of the directory comes later than one of the shape that stands further down.
    const rejected = this.#rejected.sort((a, b) => a.index - b.index);
    return { ...counts, rejected, rejectedCount };
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    const { database } = this.#context;
    // Committed first: a stored event must never refer to a content whose row was rolled back.
    const references = new Map(
      batch.map(({ event: { content } }) => [`${content.type}/${content.tuId}`, content]),
    );
    const contents = await database.transaction((tx) =>
      referContents(tx, this.#brandId, [...references.values()]),
    );
    // The learners stay locked until the events are stored, so that an erasure comes before or after both.
    const outcome = await database.transaction(async (tx) => {
      const { events, excluded, rejected } = await this.#resolve(tx, batch, contents);
      return { excluded, rejected, ...(await this.#store.appendEvents(this.#brandId, events)) };
    });
    this.#counts.accepted += outcome.accepted;
    this.#counts.duplicates += outcome.duplicates;
    this.#counts.excluded += outcome.excluded;
    for (const { index, message } of outcome.rejected) this.reject(index, message);
  }

  /** Looks up what the events name, in a constant number of statements. */
  async #resolve(tx: Transaction, batch: readonly IndexedEvent[], contents: ReadonlyMap<string, number>) {
    const learners = await lockEventLearners(
      tx,
      this.#brandId,
      distinct(batch.map(({ event }) => event.user)),
    );
    const named = distinct(batch.flatMap(({ event }) => event.market ?? []));
    const markets =
      named.length === 0 ? new Map<string, number>() : await findEventMarkets(tx, this.#brandId, named);
    const rejected: RejectedEvent[] = [];
    const counted: { event: SentEvent; learner: EventLearner; marketId: number | null }[] = [];
    let excluded = 0;
    for (const { index, event } of batch) {
      const learner = learners.get(event.user);
      const marketId = event.market === null ? (learner?.market_id ?? null) : markets.get(event.market);
      if (learner === undefined) rejected.push({ index, message: 'user is not in the directory' });
      else if (marketId === undefined) rejected.push({ index, message: 'market is not in the directory' });
      else if (learner.analytics_opt_out) excluded += 1;
      else counted.push({ event, learner, marketId });
    }
    const events = counted.map(
      ({ event, learner, marketId }): LearningEvent => ({
        eventId: event.eventId,
        occurredAt: event.occurredAt,
        day: dayOf(event.occurredAt),
        kind: event.kind,
        userId: learner.id,
        contentRefId: contents.get(`${event.content.type}/${event.content.tuId}`) as number,
        contentType: event.content.type,
        marketId,
        progress: event.progress,
        score: event.score,
        questions: event.questions,
        answered: event.answered,
        timeSpentSeconds: event.timeSpentSeconds,
        xpEarned: event.xpEarned,
      }),
    );
    return { events, excluded, rejected };
  }
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
