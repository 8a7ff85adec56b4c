/** Readers of search parameters. An unreadable value counts as absent: a damaged link still opens its page. */

type Search = Readonly<Record<string, unknown>>;

/** A string, cut to the length that the server accepts. */
export function textIn(search: Search, name: string): string | undefined {
  const value = search[name];
  const text = value === undefined || value === null ? '' : String(value);
  return text === '' ? undefined : text.slice(0, 256);
}

/** A whole number from 1 on. */
export function countIn(search: Search, name: string): number | undefined {
  const value = Number(search[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The number of a page; the first one is left out of the address. */
export function pageIn(search: Search): number | undefined {
  const page = countIn(search, 'page');
  return page === 1 ? undefined : page;
}

/** One of some words. */
export function oneOfIn<const Word extends string>(
  search: Search,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === search[name]);
}

/** A day, `YYYY-MM-DD`. */
export function dayIn(search: Search, name: string): string | undefined {
  const text = textIn(search, name);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
}

/** A day, or an instant with its offset. */
export function timeIn(search: Search, name: string): string | undefined {
  const text = textIn(search, name);
  return dayIn(search, name) ?? (text?.includes('T') && !Number.isNaN(Date.parse(text)) ? text : undefined);
}

/** Makes a route's `validateSearch` of a function that reads its parameters. Each one may be left out of a link. */
export function searchOf<Parameters extends object>(
  read: (search: Search) => Parameters,
): (search: Search) => { [Name in keyof Parameters]?: Parameters[Name] } {
  return read;
}

/** Reads the filters of a list of feeds, of one brand or of all. */
export const readFeedFilters = searchOf((search) => ({
  status: oneOfIn(search, 'status', ['queued', 'processing', 'completed', 'failed']),
  source: textIn(search, 'source'),
  refused_lines: String(search['refused_lines']) === 'true' || undefined,
  from: timeIn(search, 'from'),
  to: timeIn(search, 'to'),
  page: pageIn(search),
}));

/** Reads the filters of a list of keys, of one brand or of all. */
export const readKeyFilters = searchOf((search) => ({
  q: textIn(search, 'q'),
  state: oneOfIn(search, 'state', [
    'active',
    'expiring',
    'expired',
    'revoked',
    'unused',
    'refused',
    'limited',
    'overlapping',
  ]),
  sort: textIn(search, 'sort'),
  page: pageIn(search),
}));

/** Reads the filters of a list of refused requests, of one brand or of all. */
export const readRefusalFilters = searchOf((search) => ({
  key_id: textIn(search, 'key_id'),
  status: countIn(search, 'status'),
  code: textIn(search, 'code'),
  operation: textIn(search, 'operation'),
  from: timeIn(search, 'from'),
  to: timeIn(search, 'to'),
  page: pageIn(search),
}));
