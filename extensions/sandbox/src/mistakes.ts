export interface Exchange {
  readonly requestId: string;
  readonly brandId: number;
  readonly keyId: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The digest of method, path, query and body: a retry has the same. null: the body was not read. */
  readonly fingerprint: string | null;
  readonly idempotencyKey: string | null;
  readonly needsKey: boolean;
  readonly isConditional: boolean;
  readonly sku: string | null;
  /** The body without its SKU; null: it has nothing else. */
  readonly besideSku: string | null;
  /** A price with the noise of floating-point arithmetic. */
  readonly noisyPrice: number | null;
  /** Names that were ignored, as `X-Ignored` lists them. */
  readonly ignored: string | null;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly code: string | null;
  readonly retryAfterMs: number;
  readonly isReplay: boolean;
  /** False if the response was lost, cut, or not read to its end. */
  readonly isDelivered: boolean;
  readonly lastPage: number;
  /** The resource that a 409 names as the owner. */
  readonly ownerId: string | null;
  readonly expectedQuantity: number | null;
  /** The quantity that a 409 names: a next `expected_quantity` of it has looked. */
  readonly currentQuantity: number | null;
  readonly feedId: string | null;
}

/** Returns whether the program has seen that the request succeeded. */
function isSeenSuccess({ status, isDelivered }: Exchange): boolean {
  return isDelivered && status < 300;
}

/** Returns whether the request may succeed if it is sent again. */
function isRetryable({ status, code, isDelivered }: Exchange): boolean {
  return !isDelivered || status === 429 || status >= 500 || code === 'idempotency_conflict';
}

/** Returns whether two requests are the same; if the body of one was not read, whether they may be. */
function isSame(a: Exchange, b: Exchange): boolean {
  if (a.fingerprint !== null && b.fingerprint !== null) return a.fingerprint === b.fingerprint;
  return a.method === b.method && a.path === b.path;
}

/** Returns whether `later` was sent when the response of `earlier` had ended. */
function isAfter(later: Exchange, earlier: Exchange): boolean {
  return later.startedAt >= earlier.endedAt;
}

interface Found {
  readonly requestIds: readonly string[];
  readonly text: string;
}

interface Mistake {
  readonly name: string;
  /** The page that says what to do instead. */
  readonly guide: string;
  /** Looks at the exchanges of one key, the earliest first; null: they do not make it. */
  find(exchanges: readonly Exchange[]): Found | null;
}

/** Returns what was found; null if there are no exchanges. */
function foundIn(exchanges: readonly Exchange[], text: string): Found | null {
  return exchanges.length === 0 ? null : { requestIds: exchanges.map(({ requestId }) => requestId), text };
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the latest attempt before each exchange that may be its retry. */
function attemptsBefore(exchanges: readonly Exchange[]): Map<Exchange, Exchange> {
  const latest = new Map<string, Exchange>();
  const before = new Map<Exchange, Exchange>();
  for (const exchange of exchanges) {
    const unread = `${exchange.method} ${exchange.path}`;
    const earlier = latest.get(exchange.fingerprint ?? unread) ?? latest.get(unread);
    if (earlier !== undefined) before.set(exchange, earlier);
    latest.delete(unread);
    latest.set(exchange.fingerprint ?? unread, exchange);
  }
  return before;
}

/** Lists that a program can follow by their changes. */
const followed = ['listProducts', 'listStockLevels'];
const paging = ['page', 'per_page'];
/** The second reading may be a check; a third one is a poll. */
const mostReadings = 2;

const pageOf = ({ query }: Exchange) => Number(query.get('page') ?? 1);

/** Returns path and filters of a list, without the page. */
function listOf({ path, query }: Exchange): string {
  const filters = [...query].filter(([name]) => name !== 'page');
  return `${path}?${new URLSearchParams(filters)}`;
}

const polledEverything: Mistake = {
  name: 'polled_everything',
  guide: '/docs/guides/polling',
  find(exchanges) {
    const whole = exchanges.filter(
      (exchange) =>
        followed.includes(exchange.operation) &&
        isSeenSuccess(exchange) &&
        !exchange.isConditional &&
        pageOf(exchange) === 1 &&
        [...exchange.query.keys()].every((name) => paging.includes(name)),
    );
    const again = [...Map.groupBy(whole, listOf).values()].flatMap((readings) =>
      readings.slice(mostReadings),
    );
    const text = `Read whole lists ${counted(again.length, 'time')} too often: follow their changes with updated_since or changed_after.`;
    return foundIn(again, text);
  },
};

const missedPages: Mistake = {
  name: 'missed_pages',
  guide: '/docs/guides/pagination',
  find(exchanges) {
    const lists = Map.groupBy(
      exchanges.filter((one) => isSeenSuccess(one) && one.lastPage > 1),
      listOf,
    );
    const left = [...lists.values()].flatMap((pages) => {
      const furthest = pages.reduce((a, b) => (pageOf(b) > pageOf(a) ? b : a));
      return pageOf(furthest) < furthest.lastPage ? [furthest] : [];
    });
    return foundIn(left, `Read the first pages of ${counted(left.length, 'list')}, and never the others.`);
  },
};

/** A timer may fire a little early, and clocks differ. */
const earlyMs = 100;

const retriedUnderNewKey: Mistake = {
  name: 'retried_under_new_key',
  guide: '/docs/guides/idempotency',
  find(exchanges) {
    const retries = [...attemptsBefore(exchanges)].filter(
      ([retry, first]) =>
        retry.fingerprint === first.fingerprint &&
        retry.idempotencyKey !== null &&
        first.idempotencyKey !== null &&
        retry.idempotencyKey !== first.idempotencyKey &&
        isRetryable(first),
    );
    const doubled = retries.filter(([retry, first]) => isDone(retry) && isDone(first)).length;
    const twice = doubled === 0 ? '' : `, and did ${doubled} of them twice`;
    const texts = `Retried ${counted(retries.length, 'write')} under a new Idempotency-Key${twice}.`;
    return foundIn(
      retries.map(([retry]) => retry),
      texts,
    );
  },
};

const isDone = ({ status, isReplay }: Exchange) => status < 300 && !isReplay;

const ignoredRetryAfter: Mistake = {
  name: 'ignored_retry_after',
  guide: '/docs/guides/errors/rate_limited',
  find(exchanges) {
    const early = [...attemptsBefore(exchanges)].filter(
      ([retry, first]) =>
        first.retryAfterMs > 0 &&
        isAfter(retry, first) &&
        retry.startedAt < first.endedAt + first.retryAfterMs - earlyMs,
    );
    return foundIn(
      early.map(([retry]) => retry),
      `Retried ${counted(early.length, 'request')} before the time that Retry-After had named.`,
    );
  },
};

const gaveUp: Mistake = {
  name: 'gave_up',
  guide: '/docs/guides/idempotency',
  find(exchanges) {
    const retried = new Set(attemptsBefore(exchanges).values());
    const failed = exchanges.filter((exchange) => isRetryable(exchange) && !retried.has(exchange));
    return foundIn(
      failed,
      `Gave up on ${counted(failed.length, 'request')} that a retry would have completed.`,
    );
  },
};

const wroteWithoutKey: Mistake = {
  name: 'wrote_without_key',
  guide: '/docs/guides/idempotency',
  find(exchanges) {
    const writes = exchanges.filter(({ needsKey, idempotencyKey }) => needsKey && idempotencyKey === null);
    return foundIn(writes, `Sent ${counted(writes.length, 'write')} without an Idempotency-Key.`);
  },
};

const sentUnknownNames: Mistake = {
  name: 'sent_unknown_names',
  guide: '/docs/guides/push-products',
  find(exchanges) {
    const sent = exchanges.filter(({ ignored }) => ignored !== null);
    const names = new Set(sent.flatMap(({ ignored }) => (ignored ?? '').split(', ')));
    return foundIn(sent, `Sent names that the API ignores: ${[...names].slice(0, 5).join(', ')}.`);
  },
};

const sentNoisyPrices: Mistake = {
  name: 'sent_noisy_prices',
  guide: '/docs/guides/errors/validation_failed',
  find(exchanges) {
    const noisy = exchanges.filter(({ noisyPrice }) => noisyPrice !== null);
    const text = `Sent ${counted(noisy.length, 'price')} with the noise of floating-point arithmetic, such as ${noisy[0]?.noisyPrice}.`;
    return foundIn(noisy, text);
  },
};

const tookConflictForSuccess: Mistake = {
  name: 'took_conflict_for_success',
  guide: '/docs/guides/errors',
  find(exchanges) {
    const unresolved = exchanges.filter(
      (exchange, place) =>
        exchange.status === 409 &&
        exchange.code !== 'idempotency_conflict' &&
        !exchanges.slice(place + 1).some((later) => resolves(later, exchange)),
    );
    const text = `Took ${counted(unresolved.length, 'refusal')} with 409 for a success: nothing was done, and the resource was not looked at.`;
    return foundIn(unresolved, text);
  },
};

/** Returns whether a later request looks at or changes what the refused one was about. */
function resolves(later: Exchange, refused: Exchange): boolean {
  if (isSame(later, refused) && later.status < 300) return true;
  if (later.isReplay && later.idempotencyKey === refused.idempotencyKey) return true;
  if (refused.code === 'rejected_stale' && (later.feedId !== null || later.operation === 'listStockLevels'))
    return true;
  if (refused.ownerId !== null && later.path.includes(refused.ownerId)) return true;
  const { sku, currentQuantity } = refused;
  if (currentQuantity !== null && later.path === refused.path && later.expectedQuantity === currentQuantity)
    return true;
  const isUnderOtherSku = refused.besideSku !== null && later.besideSku === refused.besideSku;
  if (isUnderOtherSku && later.path === refused.path && later.status < 300) return true;
  if (sku !== null)
    return later.status !== 409 && (later.sku === sku || [...later.query.values()].includes(sku));
  return later.method === 'GET' && refused.path.startsWith(later.path);
}

const neverReadFeedReport: Mistake = {
  name: 'never_read_feed_report',
  guide: '/docs/guides/csv-to-feed',
  find(exchanges) {
    const unread = exchanges.filter(
      (exchange) =>
        exchange.method === 'POST' &&
        exchange.feedId !== null &&
        isSeenSuccess(exchange) &&
        !exchanges.some(({ method, path }) => method === 'GET' && path.includes(exchange.feedId as string)),
    );
    return foundIn(
      unread,
      `Sent ${counted(unread.length, 'feed')} and never read ${unread.length === 1 ? 'its report' : 'their reports'}: refused lines stay unknown.`,
    );
  },
};

/** A mistake of a program, named by its key. */
export interface Finding {
  readonly mistake: string;
  readonly keyId: string;
  readonly text: string;
  readonly count: number;
  /** The first of them. */
  readonly requestIds: readonly string[];
  readonly guide: string;
}

const shownRequests = 10;

const mistakes: readonly Mistake[] = [
  retriedUnderNewKey,
  wroteWithoutKey,
  ignoredRetryAfter,
  gaveUp,
  tookConflictForSuccess,
  polledEverything,
  missedPages,
  sentUnknownNames,
  sentNoisyPrices,
  neverReadFeedReport,
];

/** Finds the mistakes of each key, the gravest first [D281]. */
export function examine(exchanges: readonly Exchange[]): Finding[] {
  const byKey = Map.groupBy(
    exchanges.toSorted((a, b) => a.startedAt - b.startedAt),
    ({ keyId }) => keyId,
  );
  return [...byKey].flatMap(([keyId, ofKey]) =>
    mistakes.flatMap(({ name, guide, find }) => {
      const found = find(ofKey);
      if (found === null) return [];
      const { text, requestIds } = found;
      return [
        {
          mistake: name,
          keyId,
          text,
          guide,
          count: requestIds.length,
          requestIds: requestIds.slice(0, shownRequests),
        },
      ];
    }),
  );
}
