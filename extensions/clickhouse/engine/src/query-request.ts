import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { readParts } from './body-parts.ts';
import { interfaceException } from './exception.ts';

/** A query as the HTTP interface receives it. */
export interface QueryRequest {
  readonly sql: string;
  /** The data of an INSERT whose statement is in the address, in parts; `null` without one. */
  readonly data: AsyncIterable<Buffer> | null;
  readonly database: string | null;
  readonly queryId: string | null;
  readonly defaultFormat: string;
  /** Settings and, with the prefix `param_`, parameters, for this query only. */
  readonly settings: ReadonlyMap<string, string>;
  /** Sends nothing before the whole result is known. */
  readonly waitsForEnd: boolean;
}

/** Names in the address that are neither settings nor parameters. */
const reserved = new Set([
  'query',
  'database',
  'query_id',
  'default_format',
  'wait_end_of_query',
  'user',
  'password',
]);
/** Parameters of the interface that this server refuses. */
const unsupported = ['session_id', 'role', 'compress', 'decompress', 'stacktrace', 'quota_key'];

/** Bytes of a body with a statement. */
const statementLimit = 512 * 1024 * 1024;

/**
 * Reads a request to `/`.
 * @throws EngineException if it has a parameter that this server does not support, or a body larger than 512 MB
 */
export async function readQueryRequest(request: IncomingMessage): Promise<QueryRequest> {
  const { searchParams } = new URL(request.url ?? '/', 'http://loopback');
  const missing = unsupported.find((name) => searchParams.has(name));
  if (missing !== undefined)
    throw interfaceException(48, 'NOT_IMPLEMENTED', `${missing} is not supported over chDB`);
  const inAddress = searchParams.get('query');
  const isInsert = /^\s*insert\b/i.test(inAddress ?? '');
  const body = isInsert ? Buffer.alloc(0) : await readBody(request);
  const form = await readForm(request, body);
  const settings = new Map([...searchParams, ...form].filter(([name]) => !reserved.has(name)));
  if (request.method === 'GET') settings.set('readonly', '2');
  const posted =
    form.find(([name]) => name === 'query')?.[1] ?? (form.length === 0 ? body.toString('utf8') : '');
  return {
    sql: inAddress === null ? posted : isInsert ? inAddress : `${inAddress}\n${posted}`.trimEnd(),
    data: isInsert ? await readParts(inAddress ?? '', decompressed(request)) : null,
    database: searchParams.get('database'),
    queryId: searchParams.get('query_id'),
    defaultFormat: searchParams.get('default_format') ?? 'TabSeparated',
    settings,
    waitsForEnd: searchParams.get('wait_end_of_query') === '1',
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const source = decompressed(request);
  let bytes = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > statementLimit)
      throw interfaceException(307, 'TOO_MANY_BYTES', `Body larger than ${statementLimit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decompressed(request: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = request.headers['content-encoding'];
  const inflate = {
    gzip: createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
    zstd: createZstdDecompress,
  };
  if (encoding === undefined || encoding === 'identity') return request;
  if (!(encoding in inflate)) {
    throw interfaceException(48, 'NOT_IMPLEMENTED', `Unknown compression method ${encoding}`);
  }
  const decompressor = inflate[encoding as keyof typeof inflate]();
  request.on('error', (error) => decompressor.destroy(error));
  return request.pipe(decompressor);
}

/** Returns the fields of a form, as the client sends them when parameters do not fit into the address. */
async function readForm(request: IncomingMessage, body: Buffer): Promise<(readonly [string, string])[]> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return [];
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) => {
      if (typeof value === 'string') return [name, value] as const;
      return [name, (await buffer(value.stream())).toString('utf8')] as const;
    }),
  );
}
