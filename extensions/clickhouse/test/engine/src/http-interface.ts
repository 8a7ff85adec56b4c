import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Engine } from './engine.ts';
import { EngineException, exceptionBlock, toEngineException } from './exception.ts';
import { readQueryRequest } from './query-request.ts';

/** Returns a server of ClickHouse's HTTP interface over the engine. Requests need the password of the user `default`. */
export async function createHttpInterface(engine: Engine, password: string): Promise<Server> {
  const suffix = ` (version ${await engine.readVersion()} (official build))`;
  return createServer({ requestTimeout: 0, maxHeaderSize: 1024 * 1024 }, (request, response) => {
    response.on('error', () => undefined);
    if (request.url === '/ping') return void response.end('Ok.\n');
    void answer(engine, { request, response, password, suffix });
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly password: string;
  /** The end of messages of errors. */
  readonly suffix: string;
}

async function answer(engine: Engine, { request, response, password, suffix }: Exchange): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const tag = randomBytes(8).toString('hex');
  response.setHeader('x-clickhouse-exception-tag', tag);
  try {
    authenticate(request, password);
    await engine.run(await readQueryRequest(request), async (parts) => {
      // The status is sent with the first part: what fails until then has its own.
      for await (const part of parts) {
        gone.signal.throwIfAborted();
        if (!response.write(part)) await once(response, 'drain', { signal: gone.signal });
      }
    });
    response.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    const exception = toEngineException(error);
    const text = `${exception.message}${suffix}`;
    if (response.headersSent) return void response.end(exceptionBlock(text, tag));
    request.resume();
    response.writeHead(500, { 'x-clickhouse-exception-code': String(exception.code) });
    response.end(`${text}\n`);
  }
}

function authenticate({ headers }: IncomingMessage, password: string): void {
  const basic = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1];
  const given = basic === undefined ? 'default:' : Buffer.from(basic, 'base64').toString('utf8');
  if (given === `default:${password}`) return;
  throw new EngineException(
    'Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)',
  );
}
