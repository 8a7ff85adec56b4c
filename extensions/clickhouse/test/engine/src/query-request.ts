import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A query as the HTTP interface receives it. */
export interface QueryRequest {
  readonly sql: string;
  /** The data of an INSERT whose statement is in the address; null without one. */
  readonly data: AsyncIterable<Buffer> | null;
  readonly database: string | null;
  /** For this query only. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Names in the address that are not settings. */
const reserved = new Set(['query', 'database', 'query_id']);

/** Reads a request to `/`. */
export async function readQueryRequest(request: IncomingMessage): Promise<QueryRequest> {
  const { searchParams } = new URL(request.url ?? '/', 'http://loopback');
  const inAddress = searchParams.get('query');
  return {
    sql: inAddress ?? (await text(request)),
    data: /^\s*insert\b/i.test(inAddress ?? '') ? request : null,
    database: searchParams.get('database'),
    settings: new Map([...searchParams].filter(([name]) => !reserved.has(name))),
  };
}
