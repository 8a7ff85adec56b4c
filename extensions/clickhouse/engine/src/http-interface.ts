import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Engine, QueryProgress, QueryResult } from './engine.ts';
import { exceptionBlock, httpStatusOf, interfaceException, toEngineException } from './exception.ts';
import { type QueryRequest, readQueryRequest } from './query-request.ts';
import { ClientGone, ResponseBody } from './response-body.ts';

/** The credentials that requests need. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Returns a server of ClickHouse's HTTP interface over the engine. */
export async function createHttpInterface(engine: Engine, credentials: Credentials): Promise<Server> {
  const suffix = ` (version ${await engine.readVersion()} (official build))`;
  return createServer({ requestTimeout: 0, maxHeaderSize: 1024 * 1024 }, (request, response) => {
    response.on('error', () => undefined);
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/ping' || (request.method === 'GET' && request.url === '/'))
      return void response.end('Ok.\n');
    if (path !== '/') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=UTF-8' });
      return void response.end(`There is no handle ${path}\nUse / or /ping for health checks.\n`);
    }
    void answer(engine, credentials, suffix, { request, response });
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(
  engine: Engine,
  credentials: Credentials,
  suffix: string,
  exchange: Exchange,
): Promise<void> {
  const { request, response } = exchange;
  const tag = randomBytes(8).toString('hex');
  let body: ResponseBody | null = null;
  const openBody = (): ResponseBody | null => body;
  const begun = performance.now();
  try {
    authenticate(request, credentials);
    const query = await readQueryRequest(request);
    await engine.run(query, async (result) => {
      const parts = result.parts[Symbol.asyncIterator]();
      const started: Uint8Array[] = [];
      // The status is sent after the first part, or after all: what fails until then has its own.
      do {
        const { done, value } = await parts.next();
        if (done === true) break;
        started.push(value);
      } while (query.waitsForEnd);
      const headers = headersOf(query, result, tag, performance.now() - begun);
      body = new ResponseBody(
        request,
        response,
        headers,
        query.settings.get('enable_http_compression') === '1',
      );
      for (const part of started) await body.write(part);
      for (;;) {
        const { done, value } = await parts.next();
        if (done === true) break;
        await body.write(value);
      }
    });
    openBody()?.end();
  } catch (error) {
    if (error instanceof ClientGone) return;
    const exception = toEngineException(error);
    const text = `${exception.message}${suffix}`;
    const open = openBody();
    if (open !== null) return open.end(exceptionBlock(text, tag));
    request.resume();
    response.writeHead(httpStatusOf(exception), {
      'content-type': 'text/plain; charset=UTF-8',
      'x-clickhouse-exception-code': String(exception.code),
    });
    response.end(`${text}\n`);
  }
}

function authenticate({ headers, url }: IncomingMessage, { user, password }: Credentials): void {
  const { searchParams } = new URL(url ?? '/', 'http://loopback');
  const basic = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1];
  const sent = basic === undefined ? null : Buffer.from(basic, 'base64').toString('utf8');
  const given =
    sent ??
    `${headers['x-clickhouse-user'] ?? searchParams.get('user') ?? 'default'}:${
      headers['x-clickhouse-key'] ?? searchParams.get('password') ?? ''
    }`;
  if (given === `${user}:${password}`) return;
  const name = given.slice(0, given.indexOf(':'));
  const message = `${name}: Authentication failed: password is incorrect, or there is no user with such name`;
  throw interfaceException(516, 'AUTHENTICATION_FAILED', message);
}

function headersOf(
  query: QueryRequest,
  result: QueryResult,
  tag: string,
  ms: number,
): Record<string, string> {
  return {
    'content-type': contentTypes[result.format] ?? 'text/plain; charset=UTF-8',
    'x-clickhouse-query-id': query.queryId ?? randomUUID(),
    'x-clickhouse-format': result.format,
    'x-clickhouse-timezone': 'UTC',
    'x-clickhouse-exception-tag': tag,
    'x-clickhouse-summary': JSON.stringify(summaryOf(result.progress, ms)),
  };
}

const contentTypes: Record<string, string> = {
  JSON: 'application/json; charset=UTF-8',
  JSONCompact: 'application/json; charset=UTF-8',
  JSONEachRow: 'application/x-ndjson; charset=UTF-8',
  TabSeparated: 'text/tab-separated-values; charset=UTF-8',
};

function summaryOf(
  { readRows, readBytes, writtenRows, writtenBytes }: QueryProgress,
  ms: number,
): Record<string, string> {
  return {
    read_rows: String(readRows),
    read_bytes: String(readBytes),
    written_rows: String(writtenRows),
    written_bytes: String(writtenBytes),
    total_rows_to_read: '0',
    result_rows: String(writtenRows),
    result_bytes: String(writtenBytes),
    elapsed_ns: String(Math.round(ms * 1e6)),
  };
}
