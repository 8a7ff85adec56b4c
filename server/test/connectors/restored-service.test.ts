// nightly: restores a service that three clients have pulled from
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CheckingTarget } from '../../../cli/tests/singer-target.ts';
import { addDays, yesterdayOf } from '../../src/analytics/day.ts';
import { newSeededBrand } from '../../src/analytics/tests/seed.ts';
import { scopes } from '../../src/api/access.ts';
import { findFreePort } from '../support/free-port.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import type { TestApps } from '../support/test-apps.ts';
import { databaseUrl } from '../support/test-database.ts';
import { python, startPython } from './run-python.ts';

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const yesterday = yesterdayOf(Date.now());
const [dayA, dayB, lastDay] = [addDays(yesterday, -2), addDays(yesterday, -1), yesterday];

/** Creates a brand on a server process, as the seeds of analytics do on the apps. */
function seed(server: ServerProcess) {
  const newBrand = async () => {
    const { json: brand } = await server.admin.post('/brands', { name: 'Restored' });
    const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'k', scopes });
    return {
      brandId: brand.id,
      keyId: key.key_id,
      apiKey: key.api_key,
      client: server.clientWith(key.api_key),
    };
  };
  return newSeededBrand({ newBrand, admin: server.admin } as unknown as TestApps, { users: ['u0', 'u1'] });
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, maxBuffer: 64e6 };
    const child = execFile(process.execPath, [file(program), ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

describe('after a restore, a client that had later revisions', () => {
  // [D298] [analytics-50]
  it('reads every day again, and takes out days that the service lost', async () => {
    const folder = await makeDataDir();
    const home = join(folder, 'home');
    const [before, after] = [await createDatabase(), await createDatabase()];
    const settings = { PORT: String(await findFreePort()), BRANDPORT_DATA_DIR: join(folder, 'data') };
    const env = { ...settings, DATABASE_URL: databaseUrl(before) };
    const server = await startServerProcess({ env });
    const brand = await seed(server);
    await brand.send([dayA, dayB].map((day) => ({ day })));
    await brand.aggregate({ from: dayA, to: dayB });
    const backup = join(folder, 'backup.tar');
    assert.equal((await runCommand(env, 'backup', backup)).code, 0);
    for (let again = 0; again < 6; again += 1) await brand.aggregate({ from: dayB, to: dayB });
    await brand.send([{ day: lastDay }]);
    await brand.aggregate({ from: lastDay, to: lastDay });

    const clientEnv = { BRANDPORT_URL: server.clientUrl, BRANDPORT_API_KEY: brand.apiKey, HOME: home };
    const place = join(folder, 'warehouse');
    const pull = async (...more: string[]) => {
      const args = ['pull', 'users,daily', '--out', place, '--json', ...more];
      const { code, stdout, stderr } = await run('cli/bin/brandport.js', args, clientEnv);
      assert.equal(code, 0, stdout + stderr);
      return JSON.parse(stdout);
    };
    const target = new CheckingTarget();
    const tap = async () => {
      const [config, state] = [join(folder, 'config.json'), join(folder, 'state.json')];
      writeFileSync(config, JSON.stringify({ url: server.clientUrl, api_key: brand.apiKey }));
      writeFileSync(state, JSON.stringify(target.state ?? {}));
      const args = ['--config', config, '--state', state];
      const { code, stdout, stderr } = await run('cli/bin/tap-brandport.js', args, clientEnv);
      assert.equal(code, 0, stderr);
      for (const line of stdout.trimEnd().split('\n')) target.receive(line);
    };
    const pythonRows = async () => {
      if (python === null) return null;
      const program = file('connectors/python/brandport_pull.py');
      const args = [program, 'users', '--out', join(folder, 'python')];
      const { code, stderr } = await startPython(args, clientEnv).ended;
      assert.equal(code, 0, stderr);
      return [dayA, dayB, lastDay].map((day) => {
        const path = join(folder, `python/users/date=${day}.jsonl`);
        return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
      });
    };
    await pull();
    await tap();
    if (python !== null) assert.deepEqual(await pythonRows(), [1, 1, 1]);
    const { users } = (await brand.client.get('/analytics/status')).json.datasets;
    assert.equal(users.revision, 8);
    assert.equal((await server.stop()).code, 0);

    const restoredEnv = { ...env, DATABASE_URL: databaseUrl(after) };
    const restored = await runCommand(restoredEnv, 'restore', backup);
    assert.equal(restored.code, 0, restored.stderr);
    const again = await startServerProcess({ env: restoredEnv });
    const aggregate = async (day: string) => {
      const path = `/brands/${brand.brandId}/aggregations`;
      assert.equal((await again.admin.post(path, { from: day, to: day })).status, 200);
    };
    await again.admin.request('POST', `/brands/${brand.brandId}/events`, {
      body: JSON.stringify({
        event_id: 'late',
        occurred_at: `${dayA}T12:00:00Z`,
        kind: 'view',
        user: 'u1',
        content: { type: 'episode', tu_id: 'c0' },
      }),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    await aggregate(dayA);
    for (let n = 0; n < 9; n += 1) await aggregate(dayB);

    const client = again.clientWith(brand.apiKey);
    const { users: state } = (await client.get('/analytics/status?changes_since=users:8')).json.datasets;
    assert.ok(state.revision > Date.parse('2026-01-01'), String(state.revision));
    assert.deepEqual(
      state.changed.days.map(({ date }: { date: string }) => date),
      [dayA, dayB],
    );
    const daysOf = (outcome: { days: number }[]) => outcome.map(({ days }) => days);
    assert.deepEqual(daysOf(await pull()), [3, 3]);
    await pull('--verify');
    assert.deepEqual(daysOf(await pull()), [0, 0]);
    await tap();
    assert.equal(target.stored['users']?.[dayA]?.length, 2);
    if (python !== null) assert.deepEqual(await pythonRows(), [2, 1, 0]);
    const raised = await runCommand(restoredEnv, 'after-recovery');
    assert.match(raised.stdout, /^Datasets are at revision \d{13}; 8 days are marked as changed\.\n$/);
    assert.deepEqual(daysOf(await pull()), [2, 2]);
    assert.equal((await again.stop()).code, 0);
  });
});
