import { ApiClient, type ApiClientOptions, requireStatus, type Traffic } from './api-client.ts';

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
  /** Paths are relative to `/v1/client`. */
  readonly clients: readonly ApiClient[];
  /** Paths are relative to `/internal/v1`. */
  readonly admin: ApiClient;
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

export interface NewBrandOptions {
  readonly name: string;
  readonly scopes: readonly string[];
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
  const client = (more: Pick<ApiClientOptions, 'baseUrl' | 'token'>) =>
    new ApiClient({ traffic, signal, onWait, ...more });
  const admin = client({ baseUrl: `${target.internalUrl}/internal/v1`, token: target.adminToken });

  const brand = await admin.post<CreatedBrand>('/brands', { name });
  requireStatus(brand, 201, 'Creating a brand on the internal surface');
  const expiresAt = new Date(Date.now() + keyLifetimeMs).toISOString();
  const clients: ApiClient[] = [];
  for (let number = 1; number <= keysPerBrand; number++) {
    const body = { name: `demo ${number}`, scopes, expires_at: expiresAt };
    const key = await admin.post<{ api_key: string }>(`/brands/${brand.json.id}/keys`, body);
    requireStatus(key, 201, 'Issuing an API key');
    clients.push(client({ baseUrl: `${target.clientUrl}/v1/client`, token: key.json.api_key }));
  }
  const status = await (clients[0] as ApiClient).get('/catalog/status');
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

interface CreatedBrand {
  readonly id: number;
  readonly settings: { readonly low_stock_threshold: number };
}

/** The client of the n-th request: a key may send a tenth of the requests of all. */
export function clientFor({ clients }: DemoBrand, turn: number): ApiClient {
  return clients[turn % clients.length] as ApiClient;
}

/**
 * Runs `work` for every item; each client processes one item at a time, in order. The n-th item always gets the same
 * client, since an Idempotency-Key belongs to the API key that first sent it.
 */
export async function shareOut<T>(
  clients: readonly ApiClient[],
  items: readonly T[],
  work: (client: ApiClient, item: T, index: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    clients.map(async (client, first) => {
      for (let index = first; index < items.length; index += clients.length)
        await work(client, items[index] as T, index);
    }),
  );
}
