// nightly: waits for the alerts of Prometheus
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startAlertmanager } from '../support/alertmanager.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { startPrometheus } from '../support/prometheus-server.ts';
import { startRedis } from '../support/redis-server.ts';
import { seedBrand } from '../support/seed.ts';
import { projectDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { alertCases } from './alert-cases.ts';

const execute = promisify(execFile);

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

  it('lead to a receiver by their severity', async () => {
    const text = await readFile(join(kit, 'alertmanager.yml'), 'utf8');
    const severities = new Set([...rules.matchAll(/severity: (\w+)/g)].map(([, severity]) => severity));
    const routed = [...text.matchAll(/'severity="(\w+)"'/g)].map(([, severity]) => severity);
    assert.deepEqual([...severities].sort(), [...routed, 'info'].sort());
    const inhibited = /Brandport\(([\w|]+)\)/.exec(text)?.[1]?.split('|') ?? [];
    for (const name of inhibited) assert.ok(alerts.includes(`Brandport${name}`), name);
    assert.ok(inhibited.length > 0);
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
    const page = await readFile(join(projectDir, 'docs/monitoring.md'), 'utf8');
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
  const alertProgram = findSystemProgram('prometheus-alertmanager', 'prometheus-alertmanager');
  const redis = await startRedis();
  after(() => redis?.stop());
  const through = async (address: Awaited<ReturnType<typeof createDatabase>>) => {
    const proxy = await startTcpProxy(address);
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

  const isComplete = program !== null && alertProgram !== null && redis !== null;
  it('evaluates every panel, and fires on real faults', { skip: !isComplete, timeout: 240_000 }, async () => {
    // The pauses before an alert fires are cut: what is tested is that the fault reaches it.
    const alertmanager = await startAlertmanager(alertProgram as string, 10);
    const reaches = (alert: string, receiver: string) =>
      waitFor(`${alert} at ${receiver}`, () => alertmanager.delivered.get(alert)?.has(receiver), 60_000);
    const prometheus = await startPrometheus({
      program: program as string,
      targets: [new URL(server.internalUrl).host],
      rules: rules.replaceAll(/ for: \w+/g, ' for: 1s'),
      intervalMs: 1_000,
      alertmanager: alertmanager.address,
    });
    const { query } = prometheus;
    const firing = async () => [...new Set((await prometheus.firing()).map(({ name }) => name))];
    const fires = (alert: string) => waitFor(alert, async () => (await firing()).includes(alert), 100_000);
    try {
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
      await reaches('BrandportDatabaseDown', 'on-call');
      await reaches('BrandportRedisDown', 'team');
      await reaches('BrandportKeysExpire', 'weekly');
    } finally {
      await prometheus.stop();
      await alertmanager.stop();
    }
  });
});
