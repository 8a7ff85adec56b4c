import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from '../support/free-port.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { startRedis } from '../support/redis-server.ts';
import { seedBrand } from '../support/seed.ts';
import { projectDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { alertCases } from './alert-cases.ts';

const execute = promisify(execFile);

/** Receives alerts as Alertmanager does, by its API: only their names matter here. */
async function startAlertReceiver() {
  const received = new Set<string>();
  const server = createServer(async (request, response) => {
    const alerts = (await json(request)) as { labels: { alertname: string } }[];
    if (request.url === '/api/v2/alerts') for (const { labels } of alerts) received.add(labels.alertname);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  after(() => void server.close().closeAllConnections());
  return { received, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const kit = join(projectDir, 'deploy');
const rules = await readFile(join(kit, 'alerts.yml'), 'utf8');
const dashboard = JSON.parse(await readFile(join(kit, 'dashboard.json'), 'utf8'));
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string);
const directory = await mkdtemp(join(tmpdir(), 'brandport-monitoring-'));
after(() => rm(directory, { recursive: true, force: true }));

describe('the rules', () => {
  const promtool = findSystemProgram('promtool', 'prometheus');

  it('are valid, with the scrape configuration', { skip: promtool === null }, async () => {
    await execute(promtool as string, ['check', 'rules', join(kit, 'alerts.yml')]);
    await execute(promtool as string, ['check', 'config', join(kit, 'prometheus.yml')]);
  });

  it('have a case each', () =>
    assert.deepEqual(alertCases.map(({ alert }) => alert).sort(), alerts.toSorted()));

  for (const { alert, fires, quiet, before, after: at } of alertCases)
    it(`${alert} fires when it should, not before, and not without a cause`, {
      skip: promtool === null,
    }, async () => {
      const inputs = (series: Readonly<Record<string, string>>) =>
        Object.entries(series).map(([name, values]) => ({ series: name, values }));
      const count = `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`;
      const firing = (eval_time: string, value: number) => ({
        expr: value === 0 ? count : `${count} > bool 0`,
        eval_time,
        exp_samples: [{ labels: '{}', value }],
      });
      const suite = {
        rule_files: [join(kit, 'alerts.yml')],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: inputs(fires),
            promql_expr_test: [firing(before, 0), firing(at, 1)],
          },
          { interval: '1m', input_series: inputs(quiet), promql_expr_test: [firing(at, 0)] },
        ],
      };
      // JSON is YAML.
      const file = join(directory, `${alert}.json`);
      await writeFile(file, JSON.stringify(suite));
      await execute(promtool as string, ['test', 'rules', file]).catch(
        (error: { stdout: string; stderr: string }) => {
          throw new Error(error.stdout + error.stderr);
        },
      );
    });

  it('have a row each in the runbook', async () => {
    const page = await readFile(join(projectDir, 'docs/operations.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(Brandport\w+)` \| (\w+) \|/gm)];
    assert.deepEqual(documented.map(([, name]) => name).sort(), alerts.toSorted());
    for (const [, name, severity] of documented)
      assert.match(
        rules,
        new RegExp(`- alert: ${name}\\n(?:(?! *- alert).*\\n)*? +labels: \\{ severity: ${severity} \\}`),
      );
  });
});

interface Target {
  readonly expr: string;
}
const panels: { readonly title: string; readonly targets?: readonly Target[] }[] = dashboard.panels;
const panelQueries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const metricName = /\b(?:brandport|process|nodejs)_\w+/g;

describe('a real Prometheus, on real processes', async () => {
  const program = findSystemProgram('prometheus', 'prometheus');
  const redis = await startRedis();
  const through = async (address: Awaited<ReturnType<typeof createDatabase>>) => {
    const proxy = await startTcpProxy(join(address.host, `.s.PGSQL.${address.port}`));
    return { proxy, url: databaseUrl({ ...address, host: '127.0.0.1', port: proxy.port }) };
  };
  const [main, store] = [await through(await createDatabase()), await through(await createDatabase())];
  const server = await startServerProcess({
    env: {
      DATABASE_URL: main.url,
      BRANDPORT_ANALYTICS_URL: store.url,
      ...(redis !== null && { REDIS_URL: redis.url }),
    },
  });
  const { client, brandId } = await seedBrand(server);
  const expires_at = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
  await server.admin.post(`/brands/${brandId}/keys`, {
    name: 'Soon',
    scopes: ['catalog.products:read'],
    expires_at,
  });

  it('shows every metric that a rule or a panel asks for', { skip: redis === null }, async () => {
    assert.equal((await client.get('/catalog/products')).status, 200);
    const { text } = await sendHttp(`${server.internalUrl}/metrics`);
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const asked = new Set([rules, ...panelQueries].flatMap((query) => query.match(metricName) ?? []));
    assert.ok(asked.size > 30, String(asked.size));
    const missing = [...asked].filter(
      (name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|sum|count)$/, '')),
    );
    assert.deepEqual(missing, []);
  });

  const isComplete = program !== null && redis !== null;
  it('evaluates every panel, and fires on real faults', { skip: !isComplete, timeout: 240_000 }, async () => {
    // The pauses before an alert fires are cut: what is tested is that the fault reaches it.
    const alertmanager = await startAlertReceiver();
    await writeFile(join(directory, 'alerts.yml'), rules.replaceAll(/ for: \w+/g, ' for: 1s'));
    await cp(join(kit, 'prometheus.yml'), join(directory, 'prometheus.yml'));
    const config = (await readFile(join(directory, 'prometheus.yml'), 'utf8'))
      .replaceAll('15s', '1s')
      .replace('127.0.0.1:9093', alertmanager.address)
      .replace(/targets: \["127.0.0.1:8081.*/, `targets: ["${new URL(server.internalUrl).host}"]`);
    await writeFile(join(directory, 'prometheus.yml'), config);
    const port = await findFreePort();
    const { received } = alertmanager;
    const prometheus = spawn(
      program as string,
      [
        `--config.file=${join(directory, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => prometheus.once('exit', resolve));
    try {
      const api = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
        return answer === null
          ? null
          : ((await answer.json()) as { status: string; error?: string; data: never });
      };
      const query = async (expr: string): Promise<{ value: [number, string] }[]> => {
        const answer = await api(`query?query=${encodeURIComponent(expr)}`);
        if (answer !== null && answer.status !== 'success') throw new Error(`${expr}: ${answer.error}`);
        return answer === null ? [] : (answer.data as { result: never }).result;
      };
      const firing = async (): Promise<string[]> => {
        const answer = await api('alerts');
        const list: { state: string; labels: { alertname: string } }[] =
          answer === null ? [] : (answer.data as { alerts: never }).alerts;
        return [
          ...new Set(list.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)),
        ];
      };
      const fires = (alert: string) => waitFor(alert, async () => (await firing()).includes(alert), 100_000);

      await waitFor('a scrape', async () => (await query('up{job="brandport"} == 1')).length === 1, 60_000);
      for (const expr of panelQueries) await query(expr.replaceAll('$__rate_interval', '1m'));
      await fires('BrandportKeysExpire');
      assert.deepEqual(await firing(), ['BrandportKeysExpire']);

      await redis?.stop();
      await store.proxy.cut();
      await main.proxy.cut();
      let isAway = true;
      const traffic = (async () => {
        while (isAway) await client.get('/catalog/products').catch(() => {});
      })();
      await Promise.all(
        [
          'BrandportRedisDown',
          'BrandportDatabaseDown',
          'BrandportDatabaseRefusals',
          'BrandportServerErrors',
          'BrandportAnalyticsDown',
        ].map(fires),
      ).finally(() => {
        isAway = false;
      });
      await traffic;
      await server.kill9();
      await Promise.all(['BrandportDown', 'BrandportNoWorker'].map(fires));
      await waitFor('Alertmanager to receive them', () => received.has('BrandportDatabaseDown'), 60_000);
    } finally {
      prometheus.kill('SIGKILL');
      await ended;
    }
  });
});
