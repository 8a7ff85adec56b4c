import { type ApiKeyCreate, BrandportAdmin } from '../../../client/src/admin/index.ts';
import { Brandport } from '../../../client/src/index.ts';
import { DemoClient, requireStatus, type Traffic } from './demo-client.ts';

/** A client with one key of the brand. */
export type BrandClient = DemoClient<Brandport>;

/** A running Brandport and the token of its internal surface. */
export interface Target {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: string;
}

/** A new brand for one data set, and clients that each use another key of it. */
export interface DemoBrand {
  readonly id: number;
  /** The highest available quantity that is `low_stock`. */
  readonly lowStockThreshold: number;
  readonly clients: readonly BrandClient[];
  /** Uses the internal surface. */
  readonly admin: DemoClient<BrandportAdmin>;
  /** false if the server runs without limits. */
  readonly isLimited: boolean;
  /** The requests of all clients together. */
  readonly traffic: Traffic;
}

/** Requests that all keys of a brand together may send per minute [platform-46]. */
export const brandRequestsPerMinute = 600;
const keyWritesPerMinute = 60;
/** The number of keys that exhaust the brand's limit of writes; more would only share it. */
const keysPerBrand = brandRequestsPerMinute / keyWritesPerMinute;
const keyLifetimeMs = 24 * 60 * 60 * 1000;

/** A scope of an API key. */
export type Scope = ApiKeyCreate['scopes'][number];

export interface NewBrandOptions {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly signal: AbortSignal;
  readonly onWait: (ms: number) => void;
}

/**
 * Creates a brand and its keys over the internal surface. The keys expire after a day: they are never
 * printed, so they are useless after the run.
 * @throws DemoError
 */
export async function createDemoBrand(target: Target, options: NewBrandOptions): Promise<DemoBrand> {
  const { name, scopes, signal, onWait } = options;
  const traffic: Traffic = { requests: 0, refused: 0, repeated: 0 };
  const shared = { traffic, signal, onWait };
  const { clientUrl, internalUrl, adminToken } = target;
  const admin = new DemoClient({
    ...shared,
    create: (more) => new BrandportAdmin({ ...more, baseUrl: internalUrl, adminToken }),
  });

  const brand = await admin.send((api, call) => api.brands.create({ name }, call));
  requireStatus(brand, 201, 'Creating a brand on the internal surface');
  const expiresAt = new Date(Date.now() + keyLifetimeMs).toISOString();
  const clients: BrandClient[] = [];
  for (let number = 1; number <= keysPerBrand; number++) {
    const body = { name: `demo ${number}`, scopes, expires_at: expiresAt };
    const key = await admin.send((api, call) => api.keys.create(brand.json.id, body, call));
    requireStatus(key, 201, 'Issuing an API key');
    const { api_key: apiKey } = key.json;
    if (apiKey === null) throw new Error('The response with the secret of a key was lost');
    clients.push(
      new DemoClient({ ...shared, create: (more) => new Brandport({ ...more, baseUrl: clientUrl, apiKey }) }),
    );
  }
  const status = await (clients[0] as BrandClient).send((api, call) => api.catalog.status(call));
  requireStatus(status, 200, 'Using the key that was just issued');
  return {
    id: brand.json.id,
    lowStockThreshold: brand.json.settings.low_stock_threshold,
    clients,
    admin,
    isLimited: status.headers.has('x-ratelimit-limit'),
    traffic,
  };
}

/** The client of the n-th request: a key may send a tenth of the requests of all. */
export function clientFor({ clients }: DemoBrand, turn: number): BrandClient {
  return clients[turn % clients.length] as BrandClient;
}

/**
 * Runs `work` for every item; each client processes one item at a time, in order. The n-th item always gets the same
 * client, since an Idempotency-Key belongs to the API key that first sent it.
 */
export async function shareOut<T>(
  clients: readonly BrandClient[],
  items: readonly T[],
  work: (client: BrandClient, item: T, index: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    clients.map(async (client, first) => {
      for (let index = first; index < items.length; index += clients.length)
        await work(client, items[index] as T, index);
    }),
  );
}
