import type { Database } from '../../postgres/database.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { type Day, dayOf } from '../day.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import type { LearningEvent } from '../store/engine.ts';
import {
  type ContentReference,
  findEventMarkets,
  lockEventLearners,
  referContents,
} from './event-references-store.ts';
import {
  type EventsTaken,
  nestingProblem,
  type RejectedEvent,
  readSentEvent,
  type SentEvent,
} from './sent-event.ts';

/** The default number of cached contents; a brand has thousands. */
const defaultMaxKnown = 50_000;

/** Ids by type, then tu_id. */
type ContentIds = Map<string, Map<string, number>>;

/** The ids of the contents in a request, each looked up once: the row of a content is never deleted and keeps its id [D18]. */
export class ContentReferences {
  readonly #database: Database;
  readonly #brandId: number;
  readonly #maxKnown: number;
  #ids: ContentIds = new Map();
  #known = 0;

  constructor(database: Database, brandId: number, maxKnown: number = defaultMaxKnown) {
    this.#database = database;
    this.#brandId = brandId;
    this.#maxKnown = maxKnown;
  }

  /** Returns a function that looks up the ids of these contents. Commits the rows that it has to add. Calls may overlap. */
  async refer(contents: readonly ContentReference[]): Promise<(content: ContentReference) => number> {
    if (this.#known > this.#maxKnown) {
      this.#ids = new Map();
      this.#known = 0;
    }
    // Another call may replace the map while this one waits.
    const ids = this.#ids;
    const unknown = new Map<string, ContentReference>();
    for (const content of contents)
      if (findId(ids, content) === undefined) unknown.set(`${content.type}/${content.tuId}`, content);
    if (unknown.size > 0) {
      const rows = await this.#database.transaction((tx) =>
        referContents(tx, this.#brandId, [...unknown.values()]),
      );
      for (const { type, tuId, id } of rows) {
        const ofType = ids.get(type) ?? new Map<string, number>();
        ids.set(type, ofType.set(tuId, id));
      }
      this.#known += rows.length;
    }
    return (content) => {
      const id = findId(ids, content);
      if (id === undefined) throw new Error('a content was not looked up');
      return id;
    };
  }
}

function findId(ids: ContentIds, { type, tuId }: ContentReference): number | undefined {
  return ids.get(type)?.get(tuId);
}

/**
 * Batches of one request that are written at the same time: two store 1.3 times as many events a second as one; more only use
 * memory.
 */
const maxWriting = 2;
/** Limits the list of rejections, so that a stream of millions of bad lines does not fill the memory. */
const maxListed = 10_000;

interface IndexedEvent {
  readonly index: number;
  readonly event: SentEvent;
}

/**
 * Ingests the events of one request in batches that commit separately. An interrupted request is sent again and stores the
 * rest, because known events count as duplicates [D16]. A rejected event never blocks valid ones. Order of the checks: shape,
 * user, market, exclusion, duplication. While a batch is written, only the next one is read: a faster client waits.
 */
export class EventIntake {
  readonly #context: AnalyticsContext;
  readonly #store: AnalyticsStore;
  readonly #brandId: number;
  readonly #contents: ContentReferences;
  #batch: IndexedEvent[] = [];
  /** Oldest first. */
  #writing: Promise<void>[] = [];
  #rejected: RejectedEvent[] = [];
  #counts = { accepted: 0, duplicates: 0, excluded: 0, rejected: 0 };

  constructor(context: AnalyticsContext, store: AnalyticsStore, brandId: number) {
    this.#context = context;
    this.#store = store;
    this.#brandId = brandId;
    this.#contents = new ContentReferences(context.database, brandId);
  }

  /** Wait for a returned promise before the next call; it rejects if a previous batch could not be written. */
  add(index: number, value: unknown): Promise<void> | undefined {
    const event = nestingProblem(value) ?? readSentEvent(value, this.#context.clock.now());
    if (typeof event === 'string') {
      this.reject(index, event);
      return undefined;
    }
    this.#batch.push({ index, event });
    return this.#batch.length < this.#store.eventBatchSize ? undefined : this.#startWriting();
  }

  reject(index: number, message: string): void {
    this.#counts.rejected += 1;
    if (this.#rejected.length < maxListed) this.#rejected.push({ index, message });
  }

  async finish(): Promise<EventsTaken> {
    await this.#startWriting();
    await Promise.all(this.#writing);
    const { rejected: rejected_count, ...counts } = this.#counts;
    // A rejection by the directory can be found after a rejection for shape that has a higher index.
    const rejected = this.#rejected.sort((a, b) => a.index - b.index);
    return { ...counts, rejected, rejected_count };
  }

  /** Resolves when no write is in progress, regardless of the outcome. For aborted requests. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }

  async #startWriting(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (this.#writing.length === maxWriting) {
      await this.#writing[0];
      this.#writing.shift();
    }
    const writing = this.#write(batch);
    // The error reaches the caller that awaits it.
    writing.catch(() => {});
    this.#writing.push(writing);
  }

  async #write(batch: readonly IndexedEvent[]): Promise<void> {
    if (batch.length === 0) return;
    // Commit this first: a stored event must never refer to a content whose row was rolled back.
    const contentIdOf = await this.#contents.refer(batch.map(({ event }) => event.content));
    // The learners stay locked until the events are stored, so an erasure runs before or after both.
    const outcome = await this.#context.database.transaction(async (tx) => {
      const { resolved, excluded, rejected } = await this.#resolve(tx, batch, contentIdOf);
      const events = resolved.map(({ event }) => event);
      const { keptSince, ...counts } = await this.#store.appendEvents(this.#brandId, events);
      return { excluded, ...counts, rejected: [...rejected, ...tooOld(resolved, keptSince)] };
    });
    if (outcome.accepted > 0) this.#context.onEventsStored?.(this.#brandId, outcome.accepted);
    this.#counts.accepted += outcome.accepted;
    this.#counts.duplicates += outcome.duplicates;
    this.#counts.excluded += outcome.excluded;
    for (const { index, message } of outcome.rejected) this.reject(index, message);
  }

  /** Looks up the learners, markets and contents of the events, in a constant number of statements. */
  async #resolve(tx: Transaction, batch: readonly IndexedEvent[], contentIdOf: ContentIdOf) {
    const [users, named] = [new Set<string>(), new Set<string>()];
    for (const { event } of batch) {
      users.add(event.user);
      if (event.market !== null) named.add(event.market);
    }
    const learners = await lockEventLearners(tx, this.#brandId, [...users]);
    const markets =
      named.size === 0 ? new Map<string, number>() : await findEventMarkets(tx, this.#brandId, [...named]);
    const dayOfInstant = rememberedDays();
    const resolved: { index: number; event: LearningEvent }[] = [];
    const rejected: RejectedEvent[] = [];
    let excluded = 0;
    for (const { index, event } of batch) {
      const learner = learners.get(event.user);
      const marketId = event.market === null ? (learner?.marketId ?? null) : markets.get(event.market);
      if (learner === undefined) rejected.push({ index, message: 'user is not in the directory' });
      else if (marketId === undefined) rejected.push({ index, message: 'market is not in the directory' });
      else if (learner.isOptedOut) excluded += 1;
      else
        resolved.push({
          index,
          event: learningEvent(event, {
            learnerId: learner.id,
            contentRefId: contentIdOf(event.content),
            marketId,
            day: dayOfInstant(event.occurredAt),
          }),
        });
    }
    return { resolved, excluded, rejected };
  }
}

/** The rejections of events that were not stored, because the raw events of their days were dropped [internal-44]. */
function tooOld(
  resolved: readonly { readonly index: number; readonly event: LearningEvent }[],
  keptSince: Day | null,
): RejectedEvent[] {
  if (keptSince === null) return [];
  return resolved
    .filter(({ event }) => event.day < keptSince)
    .map(({ index }) => ({
      index,
      message: `occurred_at must not be before ${keptSince}: raw events of earlier days were dropped`,
    }));
}

type ContentIdOf = (content: SentEvent['content']) => number;

function learningEvent(
  event: SentEvent,
  resolved: Pick<LearningEvent, 'learnerId' | 'contentRefId' | 'marketId' | 'day'>,
): LearningEvent {
  return {
    ...resolved,
    eventId: event.eventId,
    occurredAt: event.occurredAt,
    kind: event.kind,
    contentType: event.content.type,
    progress: event.progress,
    score: event.score,
    questions: event.questions,
    answered: event.answered,
    timeSpentSeconds: event.timeSpentSeconds,
    xpEarned: event.xpEarned,
  };
}

const dayMs = 86_400_000;

/** Caches `dayOf`: the events of a batch cover few days. */
function rememberedDays(): (instant: Date) => Day {
  const days = new Map<number, Day>();
  return (instant) => {
    const number = Math.floor(instant.getTime() / dayMs);
    const known = days.get(number) ?? dayOf(instant);
    days.set(number, known);
    return known;
  };
}
