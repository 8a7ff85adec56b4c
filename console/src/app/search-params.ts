/** Readers of search parameters. An unreadable value is absent: a damaged link still opens its page, which says so. */
type Reader<Value> = (value: unknown) => Value | undefined;

/** A string, cut to the length that the server accepts. */
export const text: Reader<string> = (value) => String(value ?? '').slice(0, 256) || undefined;

/** A whole number from 1 on. */
export const count: Reader<number> = (value) => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** The number of a page; the first one is left out of the address. */
export const page: Reader<number> = (value) => (count(value) === 1 ? undefined : count(value));

/** One of some words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (value) => words.find((word) => word === value);
}

/** The order of a list: one of some fields, after `-` descending. */
export function sortOf<const Field extends string>(...fields: readonly Field[]) {
  return oneOf(...fields.flatMap((field) => [field, `-${field}`] as const));
}

/** A day, `YYYY-MM-DD`. */
export const day: Reader<string> = (value) => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)));
  return isDay ? String(value) : undefined;
};

/** A day, or an instant with its offset. */
export const time: Reader<string> = (value) => {
  const typed = text(value);
  return day(value) ?? (typed?.includes('T') && !Number.isNaN(Date.parse(typed)) ? typed : undefined);
};

/** Returns the search of a link or a step that changes some parameters of the address; undefined removes one. */
export function changed(change: object): never {
  return ((old: object) => ({ ...old, ...change })) as never;
}

/** Values that say what holds without them. */
const usual: Readonly<Record<string, string>> = {
  page: '1',
  each: 'false',
  refused_lines: 'false',
  sort: '-updated_at',
};

/** A query of the parameters whose values no reader understood. It stays in the address, and the page shows it. */
interface Unread {
  readonly not_understood?: string | undefined;
}

/** Makes a route's `validateSearch` of the readers of its parameters. Each one may be left out of a link. */
export function searchOf<Readers extends Readonly<Record<string, Reader<unknown>>>>(readers: Readers) {
  return (search: Readonly<Record<string, unknown>>) => {
    const unread = new URLSearchParams(text(search['not_understood']));
    const values = Object.entries(readers).map(([name, read]) => {
      const [given, value] = [text(search[name]), read(search[name])];
      if (given !== undefined && value === undefined && given !== usual[name]) unread.set(name, given);
      return [name, value];
    });
    const all = { ...Object.fromEntries(values), not_understood: text(unread) };
    return all as { [Name in keyof Readers]?: ReturnType<Readers[Name]> } & Unread;
  };
}

/** The filters of a list of feeds, of one brand or of all. */
export const feedFilters = {
  status: oneOf('queued', 'processing', 'completed', 'failed'),
  source: text,
  refused_lines: (value: unknown) => String(value) === 'true' || undefined,
  sort: sortOf('received_at', 'received_lines', 'lines_left', 'duration'),
  from: time,
  to: time,
  page,
} as const;

const keyStates = [
  'active',
  'expiring',
  'expired',
  'revoked',
  'unused',
  'refused',
  'limited',
  'overlapping',
] as const;

/** The filters of a list of keys, of one brand or of all. */
export const keyFilters = {
  q: text,
  state: oneOf(...keyStates),
  sort: sortOf('name', 'last_used_at', 'last_refused_at', 'expires_at'),
  page,
} as const;

/** The filters of the requests without a valid key. */
export const withoutKeyFilters = {
  network: text,
  reason: oneOf('wrong_secret', 'unknown', 'malformed', 'feed_token', 'not_looked_up'),
  sort: sortOf('minute', 'network', 'count'),
  from: time,
  to: time,
  page,
} as const;

/** A status of an error, or a class of them. */
const errorStatus: Reader<number | '4xx' | '5xx'> = (value) => {
  const status = count(value);
  if (status === undefined) return oneOf('4xx', '5xx')(String(value).toLowerCase());
  return status >= 400 && status <= 599 ? status : undefined;
};

/** The filters of a list of refused requests, of one brand or of all. */
export const refusalFilters = {
  key_id: text,
  status: errorStatus,
  code: text,
  operation: text,
  each: (value: unknown) => String(value) === 'true' || undefined,
  sort: sortOf('at', 'status', 'operation', 'count'),
  from: time,
  to: time,
  page,
} as const;
