import { createServer } from 'node:http';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { findCredential, parseApiKey } from '../../../server/src/access/authentication/authentication.ts';
import type { Caller } from '../../../server/src/api/access.ts';
import type { ClientWriteOperation, ServiceContext } from '../../../server/src/api/operation.ts';
import { catalogOperations } from '../../../server/src/catalog/catalog-operations.ts';
import { Metrics } from '../../../server/src/http/metrics.ts';
import { WriteRunner } from '../../../server/src/http/run-writes.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import { Database } from '../../../server/src/postgres/database.ts';
import { type LoadRequest, numberPlace } from '../load/load-spec.ts';
import type { BareAnswer, BareSpec } from './run-bare-writes.ts';

/**
 * The yardstick of writes, in its own process: the transactions of the server for the same requests, in the same turns, by the
 * same driver, without HTTP, credentials, limits, validation and log. A POST runs the loop that its body describes.
 */
const prefix = '/v1/client/catalog';
const database = new Database({
  address: { url: process.env['DATABASE_URL'] as string },
  applicationName: 'bench-bare',
});
const runner = new WriteRunner({ database, clock: systemClock }, new Metrics());
// The handlers of writes use the clock alone.
const context = { database, clock: systemClock } as ServiceContext;
const fingerprint = Buffer.alloc(32);
const writes = catalogOperations.filter(
  (operation): operation is ClientWriteOperation => operation.kind === 'client-write',
);

type Send = (number: number) => Promise<unknown>;

const server = createServer(async (request, response) => {
  try {
    const answer = await loop((await json(request)) as BareSpec);
    response.end(JSON.stringify(answer));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    response.writeHead(500).end();
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object')
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

/** Sends each caller's next request after the outcome of the one before. */
async function loop({ requests, callers, seconds, firstNumber }: BareSpec): Promise<BareAnswer> {
  const known = new Map<string, Promise<Caller>>();
  const sends = await Promise.all(requests.map((each) => prepare(each, known)));
  let number = firstNumber;
  let done = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      const all = sends.filter((_send, index) => index % callers === n);
      const own = all.length > 0 ? all : sends;
      for (let next = 0; performance.now() < end; next += 1) {
        await own[next % own.length]?.(number++);
        done += 1;
      }
    }),
  );
  return { done, seconds: (performance.now() - start) / 1000 };
}

/** Prepares a request of a load: what does not depend on its number is done once. */
async function prepare(
  { method = 'GET', path, headers = {}, body = '{}' }: LoadRequest,
  known: Map<string, Promise<Caller>>,
): Promise<Send> {
  const { operation, params } = operationAt(method, path);
  const { authorization = '', 'idempotency-key': keyText = '' } = headers;
  const reading = known.get(authorization) ?? readCaller(authorization);
  known.set(authorization, reading);
  const caller = await reading;
  const { brandId, lineageId, keyId } = caller;
  if (lineageId === null) throw new Error('the caller of a load has no key');
  const origin = { method, path, keyId, requestId: 'bench' };
  return (number) => {
    const withNumber = (text: string) => text.replaceAll(numberPlace, String(number));
    const asked = { params, caller, requestId: 'bench', body: JSON.parse(withNumber(body)) };
    return runner.run({
      operationId: operation.id,
      brandId,
      keyed: { scope: { brandId, lineageId, key: withNumber(keyText) }, fingerprint, origin },
      lock: operation.lock,
      subject: operation.subject?.(asked) ?? null,
      read: (at) => operation.read?.(at, asked),
      handle: (lock, read) => operation.handle(lock, asked, context, read),
    });
  };
}

/** @throws Error for a request that is no write of the catalog */
function operationAt(method: string, path: string) {
  const segments = path.slice(prefix.length).split('/');
  for (const operation of writes) {
    const pattern = operation.path.split('/');
    const isMatch = pattern.every((part, n) => part.startsWith(':') || part === segments[n]);
    if (operation.method !== method || pattern.length !== segments.length || !isMatch) continue;
    const named = pattern.flatMap((part, n) => (part.startsWith(':') ? [[part.slice(1), segments[n]]] : []));
    return { operation, params: Object.fromEntries(named) as Record<string, string> };
  }
  throw new Error(`${method} ${path} is no write of the catalog`);
}

async function readCaller(authorization: string): Promise<Caller> {
  const parsed = parseApiKey(authorization.replace('Bearer ', ''));
  const row = 'keyId' in parsed ? await findCredential(database, parsed.keyId) : undefined;
  if (row === undefined || !('keyId' in parsed)) throw new Error('a load has an unknown API key');
  return {
    brandId: row.brandId,
    keyId: parsed.keyId,
    lineageId: row.lineageId,
    keyName: row.name,
    scopes: new Set(row.scopes),
    expiresAt: row.expiresAt,
  };
}
