import type { Exchange } from './exchange.ts';

export interface Found {
  readonly requestIds: readonly string[];
  readonly text: string;
}

export interface Mistake {
  readonly name: string;
  /** The page that says what to do instead. */
  readonly guide: string;
  /** Looks at the exchanges of one key, the earliest first; null: they do not make it. */
  find(exchanges: readonly Exchange[]): Found | null;
}

/** Returns what was found; null if there are no exchanges. */
export function foundIn(exchanges: readonly Exchange[], text: string): Found | null {
  return exchanges.length === 0 ? null : { requestIds: exchanges.map(({ requestId }) => requestId), text };
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the latest attempt before each exchange that may be its retry. */
export function attemptsBefore(exchanges: readonly Exchange[]): Map<Exchange, Exchange> {
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
