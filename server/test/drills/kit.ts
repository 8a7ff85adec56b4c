import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { scopes } from '../../src/api/access.ts';
import { Fleet, type Member } from '../chaos/fleet.ts';
import { type Target, Traffic } from '../rolling-restart/traffic.ts';
import { startAlertmanager, type TestAlertmanager } from '../support/alertmanager.ts';
import { kitProxies } from '../support/kit-proxies.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { startPrometheus, type TestPrometheus } from '../support/prometheus-server.ts';
import { startRedis, type TestRedis } from '../support/redis-server.ts';
import { PostgresNode } from '../support/replication/postgres-node.ts';
import { seedBrand } from '../support/seed.ts';
import { projectDir, type ServerProcess } from '../support/server-process.ts';
import { shortenDurations } from '../support/shorten-durations.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

export interface KitPrograms {
  readonly nginx: string;
  readonly haproxy: string;
  readonly prometheus: string;
  readonly alertmanager: string;
}

/** Clients of one proxy, and what they need to be checked. */
export interface ProxyClients {
  readonly proxy: string;
  readonly target: Target;
  readonly apiKey: string;
  readonly traffic: Traffic;
}

/** The longest time that a client waits for an acknowledgement: drills last minutes. */
const patienceMs = 420_000;
/** The interval of scrapes and evaluations in `deploy/prometheus.yml`. */
const shippedIntervalMs = 15_000;

/**
 * Runs what `deploy/` ships: nginx and HAProxy, each in front of the same two API processes, a worker, PostgreSQL behind a
 * network that can be cut, Redis and Prometheus.
 */
export class Kit {
  readonly postgres: PostgresNode;
  /** Between the processes and PostgreSQL. */
  readonly network: TcpProxy;
  readonly fleet: Fleet;
  readonly targets: ReadonlyMap<string, Target>;
  /** All durations of Prometheus and of the rules are divided by it. */
  readonly haste: number;
  readonly #programs: KitPrograms;
  #redis: TestRedis;
  #prometheus: TestPrometheus | null = null;
  #alertmanager: TestAlertmanager | null = null;

  private constructor(
    parts: Pick<Kit, 'postgres' | 'network' | 'fleet' | 'targets' | 'haste'>,
    redis: TestRedis,
    programs: KitPrograms,
  ) {
    this.postgres = parts.postgres;
    this.network = parts.network;
    this.fleet = parts.fleet;
    this.targets = parts.targets;
    this.haste = parts.haste;
    this.#redis = redis;
    this.#programs = programs;
  }

  static async start(programs: KitPrograms, haste: number): Promise<Kit> {
    const redis = (await startRedis()) ?? assert.fail('no redis-server');
    const postgres = await PostgresNode.createPrimary({ hasDisk: process.getuid?.() === 0 });
    const network = await startTcpProxy(postgres.port);
    const fleet = await Fleet.start(
      { api: 2, worker: 1 },
      {
        ...unlimitedCatalog,
        DATABASE_URL: `postgresql://postgres@127.0.0.1:${network.port}/brandport`,
        REDIS_URL: redis.url,
        BRANDPORT_TRUSTED_PROXIES: '127.0.0.1',
      },
    );
    const targets = new Map<string, Target>([
      ['nginx', await kitProxies.nginx(programs.nginx, fleet.apiPorts)],
      ['haproxy', await kitProxies.haproxy(programs.haproxy, fleet.apiPorts)],
    ]);
    return new Kit({ postgres, network, fleet, targets, haste }, redis, programs);
  }

  /** The time between two scrapes. */
  get intervalMs(): number {
    return shippedIntervalMs / this.haste;
  }

  get api(): ServerProcess {
    return this.fleet.apis[0] ?? assert.fail('no API process runs');
  }

  get apis(): readonly Member[] {
    return this.fleet.members.filter(({ role }) => role === 'api');
  }

  get worker(): Member {
    return this.fleet.members.find(({ role }) => role === 'worker') ?? assert.fail();
  }

  get prometheus(): TestPrometheus {
    return this.#prometheus ?? assert.fail('Prometheus does not run');
  }

  /** The addresses that Prometheus scrapes. */
  get scraped(): readonly string[] {
    return this.fleet.members.map(({ internalPort }) => `127.0.0.1:${internalPort}`);
  }

  /** The alerts that reached people, with the receivers that got them. */
  get delivered(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#alertmanager?.delivered ?? assert.fail('Alertmanager does not run');
  }

  /** Starts a Prometheus and an Alertmanager that know nothing of what was before. */
  async watch(): Promise<void> {
    await this.#stopWatching();
    const rules = await readFile(join(projectDir, 'deploy/alerts.yml'), 'utf8');
    this.#alertmanager = await startAlertmanager(this.#programs.alertmanager, this.haste);
    this.#prometheus = await startPrometheus({
      program: this.#programs.prometheus,
      targets: this.scraped,
      rules: shortenDurations(rules, this.haste),
      intervalMs: this.intervalMs,
      alertmanager: this.#alertmanager.address,
    });
  }

  /** Starts clients that read and write through each proxy, each with its own brand. */
  startClients(): Promise<readonly ProxyClients[]> {
    return Promise.all(
      [...this.targets].map(async ([proxy, target]) => {
        const { apiKey } = await seedBrand(this.api, `Behind ${proxy}`, scopes);
        return { proxy, target, apiKey, traffic: new Traffic([target], apiKey, 2, patienceMs) };
      }),
    );
  }

  stopRedis(): Promise<void> {
    return this.#redis.stop();
  }

  async startRedis(): Promise<void> {
    this.#redis = (await startRedis({ port: this.#redis.port })) ?? assert.fail();
  }

  async stop(): Promise<readonly (number | null)[]> {
    await this.#stopWatching();
    const codes = await this.fleet.stop();
    await this.#redis.stop();
    return codes;
  }

  async #stopWatching(): Promise<void> {
    await this.#prometheus?.stop();
    await this.#alertmanager?.stop();
  }
}
