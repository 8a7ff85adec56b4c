import { type Exchange, isSame, isSeenSuccess } from '../exchange.ts';
import { counted, foundIn, type Mistake } from '../mistake.ts';

export const wroteWithoutKey: Mistake = {
  name: 'wrote_without_key',
  guide: '/docs/guides/idempotency',
  find(exchanges) {
    const writes = exchanges.filter(({ needsKey, idempotencyKey }) => needsKey && idempotencyKey === null);
    return foundIn(writes, `Sent ${counted(writes.length, 'write')} without an Idempotency-Key.`);
  },
};

export const sentUnknownNames: Mistake = {
  name: 'sent_unknown_names',
  guide: '/docs/guides/push-products',
  find(exchanges) {
    const sent = exchanges.filter(({ ignored }) => ignored !== null);
    const names = new Set(sent.flatMap(({ ignored }) => (ignored ?? '').split(', ')));
    return foundIn(sent, `Sent names that the API ignores: ${[...names].slice(0, 5).join(', ')}.`);
  },
};

export const sentNoisyPrices: Mistake = {
  name: 'sent_noisy_prices',
  guide: '/docs/guides/errors/validation_failed',
  find(exchanges) {
    const noisy = exchanges.filter(({ noisyPrice }) => noisyPrice !== null);
    const text = `Sent ${counted(noisy.length, 'price')} with the noise of floating-point arithmetic, such as ${noisy[0]?.noisyPrice}.`;
    return foundIn(noisy, text);
  },
};

export const tookConflictForSuccess: Mistake = {
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

export const neverReadFeedReport: Mistake = {
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
      `Sent ${counted(unread.length, 'feed')} and never read its report: refused lines stay unknown.`,
    );
  },
};
