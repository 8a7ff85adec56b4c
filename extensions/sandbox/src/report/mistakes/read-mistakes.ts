import { type Exchange, isSeenSuccess } from '../exchange.ts';
import { counted, foundIn, type Mistake } from '../mistake.ts';

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

export const polledEverything: Mistake = {
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

export const missedPages: Mistake = {
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
