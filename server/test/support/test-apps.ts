import type { FastifyInstance } from 'fastify';
import { AdminToken } from '../../src/access/authentication/authentication.ts';
import type { KeyUsageRecorder } from '../../src/access/authentication/key-usage-recorder.ts';
import type { ConfiguredLimits } from '../../src/access/rate-limits/rate-limits.ts';
import type { SingleSignOnConfig } from '../../src/access/sessions/single-sign-on.ts';
import type { AlertTarget } from '../../src/alerts/send-alerts.ts';
import { type AnalyticsStore, createAnalyticsStore } from '../../src/analytics/store/analytics-store.ts';
import { scopes as allScopes, type Scope } from '../../src/api/access.ts';
import type { RequestBodies, RequestBodiesOptions } from '../../src/http/bodies/request-bodies.ts';
import { createClientApp } from '../../src/http/client-app.ts';
import type { AppAdditions } from '../../src/http/create-app.ts';
import { createInternalApp } from '../../src/http/internal-app.ts';
import type { Metrics } from '../../src/http/metrics.ts';
import type { Services } from '../../src/http/services.ts';
import { type Network, parseNetwork } from '../../src/lib/addresses.ts';
import type { ThreadLimits } from '../../src/lib/threads.ts';
import type { DatabaseAddress } from '../../src/postgres/connection-options.ts';
import { isConnectionLost, writeTroubleOf } from '../../src/postgres/database-errors.ts';
import { defaultKeep } from '../../src/retention/policy-settings.ts';
import { type AppServices, createServices } from '../../src/serve/create-services.ts';
import { loadBrowserSignIn } from '../../src/serve/load-extensions.ts';
import { createLogger } from '../../src/serve/logger.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { registerCanary, registerSecretsOf } from './canaries.ts';
import { validateAgainstDocument, validateAgainstInternalDocument } from './document-validation.ts';
import { unlimited } from './limits.ts';
import { logLines } from './log-capture.ts';
import { TestClock } from './test-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestApps extends TestDatabase {
  /** The context of the handlers, for tests of services and jobs. */
  readonly context: Services;
  /** The parts from which the apps were created, for tests that create another one. */
  readonly services: AppServices;
  readonly clientApp: FastifyInstance;
  readonly internalApp: FastifyInstance;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly keyUsage: KeyUsageRecorder;
  readonly clock: TestClock;
  /** The internal surface, with the admin token. */
  readonly admin: ApiClient;
  /** The client listener without a key. */
  readonly anonymous: ApiClient;
  /** The client listener with a key, or with any other bearer token. */
  clientWith(apiKey: string): ApiClient;
  /** Creates a brand and a key over the internal surface; the key has all scopes by default. */
  newBrand(options?: { name?: string; scopes?: readonly Scope[]; settings?: object }): Promise<TestBrand>;
  /** Creates another key of a brand. */
  newKey(brandId: number, scopes?: readonly Scope[], more?: object): Promise<TestKey>;
}

export interface TestKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly client: ApiClient;
}

export interface TestBrand extends TestKey {
  readonly brandId: number;
}

const testCursorSecret = 'cursor-secret-canary-91b7';
export const testAdminToken = 'admin-token-canary-5f1d';

/**
 * Creates the real apps on a fresh database, as the server does; rate limits are off by default. Every response to the
 * clients of these apps is validated against the served OpenAPI document.
 */
export async function createTestApps(
  options: {
    limits?: Partial<ConfiguredLimits>;
    poolSize?: number;
    /** Copies this database instead of the empty one; its connections are closed. */
    copyOf?: TestDatabase;
    /** Settings that the database gives to its sessions; default: none. */
    databaseSettings?: Readonly<Record<string, string>>;
    /** The database of the analytics store; default: the same database. */
    analyticsAddress?: DatabaseAddress;
    /** A prepared store in the engine of an address, which the caller closes; default: one in PostgreSQL. */
    engine?: { readonly store: AnalyticsStore; readonly url: string };
    /** Additions of an extension to the client app. */
    additions?: AppAdditions;
    /** True if jobs run, as in a worker; otherwise they are only queued. */
    runsJobs?: boolean;
    /** The settings for reading bodies; default: those of the server. */
    bodies?: RequestBodiesOptions;
    /** Networks of trusted proxies; default: none. */
    trustedProxies?: readonly string[];
    /** Bytes of response bodies that are kept; default: as the server's. */
    responseCache?: number;
    /** True if browsers may sign in over plain http from other machines; default: false. */
    consoleAllowsHttp?: boolean;
    /** The identity provider of single sign-on; default: none. */
    singleSignOn?: SingleSignOnConfig;
    /** The webhook of alerts; default: none. */
    alerts?: AlertTarget;
    /** Limits of the threads that read feeds; default: those of the server. */
    threadLimits?: ThreadLimits;
  } = {},
): Promise<TestApps> {
  const testDatabase = await createTestDatabase({
    ...(options.poolSize !== undefined && { poolSize: options.poolSize }),
    ...(options.copyOf !== undefined && { copyOf: options.copyOf }),
    ...(options.databaseSettings !== undefined && { settings: options.databaseSettings }),
  });
  const clock = new TestClock();
  const logger = createLogger('trace', logLines);
  const analyticsAddress = options.analyticsAddress ?? testDatabase.address;
  const analytics = options.engine?.store ?? createAnalyticsStore({ address: analyticsAddress });
  const finishing: (() => Promise<void>)[] = [];
  const closing: (() => Promise<void>)[] = [];
  const services = await createServices(
    {
      database: testDatabase.database,
      analytics,
      addresses: {
        main: testDatabase.address,
        analytics: analyticsAddress,
        engineUrl: options.engine?.url ?? null,
      },
      clock,
      logger,
      log: () => {},
      cursorSecrets: [testCursorSecret],
      limits: { ...unlimited, ...options.limits },
      redisUrl: null,
      keep: defaultKeep,
      alerts: options.alerts ?? null,
      runsJobs: options.runsJobs ?? false,
      role: 'all',
      processMetrics: false,
      bodies: options.bodies ?? {},
      trustedProxies: (options.trustedProxies ?? []).map((text) => parseNetwork(text) as Network),
      responseCache: options.responseCache ?? 16 * 1024 * 1024,
      ...(options.threadLimits !== undefined && { threadLimits: options.threadLimits }),
      onKeyUsageError: (error) => {
        // A test that ends sessions or makes the database read-only does so to this recorder as well.
        if (!isConnectionLost(error) && writeTroubleOf(error) === null) throw error;
      },
    },
    {
      works: (_name, finish) => void finishing.push(() => finish(5_000)),
      opened: (_name, close) => void closing.unshift(close),
    },
  );
  const { context, metrics, bodies, keyUsage } = services;
  await services.startJobs();
  const { additions = {} } = options;
  const clientApp = createClientApp({ ...services, additions });
  const internalApp = createInternalApp({
    ...services,
    adminToken: new AdminToken(testAdminToken),
    consoleAllowsHttp: options.consoleAllowsHttp ?? false,
    signIn: await loadBrowserSignIn(options.singleSignOn ?? null),
  });
  await Promise.all([clientApp.ready(), internalApp.ready()]);
  testDatabase.beforeClose(async () => {
    await Promise.all([clientApp.close(), internalApp.close()]);
    await Promise.all(finishing.map((finish) => finish()));
    for (const close of closing) await close();
    if (options.engine === undefined) await analytics.close();
  });

  registerCanary(testAdminToken);
  const admin = createApiClient(internalApp, {
    prefix: '/internal/v1',
    token: testAdminToken,
    check: (method, url, response) => {
      registerSecretsOf(response.json);
      validateAgainstInternalDocument(method, url, response);
    },
  });
  const clientWith = (apiKey: string | null) =>
    createApiClient(clientApp, { prefix: '/v1/client', token: apiKey, check: validateAgainstDocument });

  const newKey = async (brandId: number, keyScopes: readonly Scope[] = allScopes, more: object = {}) => {
    const response = await admin.post(`/brands/${brandId}/keys`, {
      name: 'Test key',
      scopes: keyScopes,
      ...more,
    });
    if (response.status !== 201) throw new Error(`no key: ${response.text}`);
    const { api_key: apiKey, key_id: keyId } = response.json;
    return { apiKey, keyId, client: clientWith(apiKey) };
  };
  return {
    ...testDatabase,
    context,
    services,
    clientApp,
    internalApp,
    metrics,
    bodies,
    keyUsage,
    clock,
    admin,
    anonymous: clientWith(null),
    clientWith,
    newKey,
    newBrand: async ({ name = 'Test brand', scopes: keyScopes, settings } = {}) => {
      const response = await admin.post('/brands', { name, ...(settings && { settings }) });
      if (response.status !== 201) throw new Error(`no brand: ${response.text}`);
      return { brandId: response.json.id, ...(await newKey(response.json.id, keyScopes)) };
    },
  };
}
