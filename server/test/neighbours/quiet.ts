import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { feedOf } from './feed-bodies.ts';

/** The credentials and data that the quiet brand's calls use. */
export interface Quiet {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: string;
  readonly brandId: number;
  readonly keyId: string;
  readonly apiKey: string;
  readonly product: string;
  readonly parent: string;
  /** A product that nothing changes, and its entity tag. */
  readonly still: string;
  readonly feed: string;
  readonly etag: string;
  readonly changed: string;
  readonly day: string;
}

interface Call {
  readonly to: 'catalog' | 'analytics' | 'internal' | 'probe';
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expects?: number;
}

type Kind = (quiet: Quiet, n: string) => Call;

const get =
  (path: (quiet: Quiet) => string): Kind =>
  (quiet) => ({ to: 'catalog', path: path(quiet) });
const list = (path: string): Kind => get(() => path);
const analytics =
  (path: string): Kind =>
  ({ day }) => ({ to: 'analytics', path: `${path}?from=${day}&to=${day}` });

function write(
  method: string,
  expects: number,
  path: (quiet: Quiet) => string,
  body: (n: string) => unknown,
): Kind {
  return (quiet, n) => ({
    to: 'catalog',
    method,
    path: path(quiet),
    body: JSON.stringify(body(n)),
    headers: { 'idempotency-key': n },
    expects,
  });
}

const oneLine = (n: string) => ({
  source: 'erp',
  mode: 'snapshot',
  lines: [{ sku: 'QUIET-1', location_code: 'main', quantity: n.length }],
});

/** A call of each kind that a brand, its operator and a probe make. */
const kinds: Readonly<Record<string, Kind>> = {
  status: list('/status'),
  detail: get(({ product }) => `/products/${product}`),
  unchanged: ({ still, etag }) => ({
    to: 'catalog',
    path: `/products/${still}`,
    headers: { 'if-none-match': etag },
    expects: 304,
  }),
  list: list('/products?per_page=50&sort=sku'),
  bySku: list('/products?sku=QUIET-7'),
  axes: list('/axes'),
  selection: get(({ parent }) => `/products/${parent}/axes`),
  variants: get(({ parent }) => `/products/${parent}/variants`),
  locations: list('/stock/locations'),
  levels: list('/stock/levels?per_page=50'),
  changes: get(({ changed }) => `/stock/levels?changed_after=${changed}`),
  stock: get(({ parent }) => `/products/${parent}/stock`),
  movements: get(({ product }) => `/products/${product}/stock/movements`),
  report: get(({ feed }) => `/stock/feeds/${feed}`),
  create: write(
    'POST',
    201,
    () => '/products',
    (n) => ({ sku: n }),
  ),
  change: write(
    'PATCH',
    200,
    ({ product }) => `/products/${product}`,
    (n) => ({ title: n }),
  ),
  select: write(
    'PUT',
    200,
    ({ parent }) => `/products/${parent}/axes`,
    () => ({ axes: [{ code: 'size', values: ['s', 'm', 'l'] }] }),
  ),
  plan: write(
    'POST',
    200,
    ({ parent }) => `/products/${parent}/variants/generate`,
    () => ({ dry_run: true }),
  ),
  adjust: write(
    'POST',
    200,
    ({ product }) => `/products/${product}/stock/adjust`,
    (n) => ({ quantity: n.length, location: 'main' }),
  ),
  feed: write('POST', 202, () => '/stock/feeds', oneLine),
  chunkedFeed: (_, n) => ({
    to: 'catalog',
    method: 'POST',
    path: '/stock/feeds',
    body: feedOf(10, 'QUIET'),
    headers: { 'idempotency-key': n, 'transfer-encoding': 'chunked' },
    expects: 202,
  }),
  zippedFeed: (_, n) => ({
    to: 'catalog',
    method: 'POST',
    path: '/stock/feeds',
    body: zippedFeed,
    headers: { 'idempotency-key': n, 'content-encoding': 'gzip' },
    expects: 202,
  }),
  analyticsStatus: () => ({ to: 'analytics', path: '/status' }),
  daily: analytics('/metrics/daily'),
  contents: analytics('/metrics/contents'),
  users: analytics('/users/daily'),
  userContents: analytics('/users/contents'),
  brand: ({ brandId }) => ({ to: 'internal', path: `/internal/v1/brands/${brandId}` }),
  changeBrand: ({ brandId }) => ({
    to: 'internal',
    method: 'PATCH',
    path: `/internal/v1/brands/${brandId}`,
    body: '{"name":"Quiet"}',
  }),
  changeKey: ({ keyId }) => ({
    to: 'internal',
    method: 'PATCH',
    path: `/internal/v1/keys/${keyId}`,
    body: '{"name":"ERP"}',
  }),
  signIn: ({ adminToken }, n) => ({
    to: 'internal',
    method: 'POST',
    path: '/console/session',
    body: JSON.stringify({ token: adminToken }),
    headers: {
      'x-forwarded-for': `203.0.113.${1 + (Number.parseInt(n.slice(-4), 36) % 250)}`,
      authorization: '',
    },
    expects: 204,
  }),
  ready: () => ({ to: 'probe', path: '/readyz' }),
};

/** A thousand lines: the most that never wait for the large feeds of others. */
const zippedFeed = gzipSync(feedOf(1_000, 'QUIET'));

export type Kinds = Readonly<Record<string, KindFigures>>;

export interface KindFigures {
  /** Milliseconds of each call that had the expected response. */
  readonly times: number[];
  /** The responses that were not expected. */
  readonly refused: string[];
}

let made = 0;

/** Sends a call of each kind every `everyMs`, whether or not earlier ones were answered, for `forMs`. */
export async function callQuietly(
  quiet: Quiet,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<Kinds> {
  const figures = Object.fromEntries(
    Object.keys(kinds).map((name) => [name, { times: [], refused: [] } as KindFigures]),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  const open: Promise<void>[] = [];
  const names = Object.keys(kinds);
  const startedAt = performance.now();
  for (let n = 0; performance.now() - startedAt < forMs; n += 1) {
    const name = names[n % names.length] as string;
    open.push(callOnce(quiet, { name, agent }, figures[name] as KindFigures));
    const due = startedAt + ((n + 1) * everyMs) / names.length;
    await sleep(Math.max(0, due - performance.now()));
  }
  await Promise.all(open);
  agent.destroy();
  return figures;
}

async function callOnce(
  quiet: Quiet,
  { name, agent }: { name: string; agent: Agent },
  figures: KindFigures,
): Promise<void> {
  made += 1;
  const call = (kinds[name] as Kind)(quiet, `Q${made.toString(36).padStart(6, '0')}`);
  const startedAt = performance.now();
  const answer = await send(quiet, call, agent).catch((error: NodeJS.ErrnoException) =>
    String(error.code ?? error),
  );
  const ms = performance.now() - startedAt;
  if (typeof answer === 'object' && answer.status === (call.expects ?? 200)) figures.times.push(ms);
  else
    figures.refused.push(
      typeof answer === 'object' ? `${answer.status} ${answer.text.slice(0, 120)}` : answer,
    );
}

function send(
  quiet: Quiet,
  { to, method = 'GET', path, body, headers }: Call,
  agent: Agent,
): Promise<{ status: number; text: string }> {
  const url = {
    catalog: `${quiet.clientUrl}/v1/client/catalog${path}`,
    analytics: `${quiet.clientUrl}/v1/client/analytics${path}`,
    internal: `${quiet.internalUrl}${path}`,
    probe: `${quiet.clientUrl}${path}`,
  }[to];
  const authorization = `Bearer ${to === 'internal' ? quiet.adminToken : quiet.apiKey}`;
  return new Promise((resolve, reject) => {
    const all: Record<string, string> = { 'x-forwarded-for': '198.51.100.7', authorization, ...headers };
    if (all['authorization'] === '') delete all['authorization'];
    if (body !== undefined) {
      all['content-type'] = 'application/json';
      if (all['transfer-encoding'] === undefined) all['content-length'] = String(Buffer.byteLength(body));
    }
    const outgoing = request(url, { method, agent, headers: all, timeout: 30_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response within 30 s')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
