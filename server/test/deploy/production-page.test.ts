// nightly: follows docs/production.md
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { scopes } from '../../src/api/access.ts';
import { feedOf } from '../neighbours/feed-bodies.ts';
import { makeNewerVersion } from '../rolling-restart/newer-version.ts';
import { Traffic } from '../rolling-restart/traffic.ts';
import { registerCanary } from '../support/canaries.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { startNginx } from '../support/nginx-server.ts';
import { seedBrand } from '../support/seed.ts';
import { projectDir, type ServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait-for.ts';
import { blocksOf, productionPage } from './production-page.ts';
import { ProductionRoot } from './production-root.ts';

// Follows docs/production.md on this machine: its blocks run in a shell, with the folders of the system in a temporary one.

const execute = promisify(execFile);
const nginxProgram = findSystemProgram('nginx', 'nginx');
const promtool = findSystemProgram('promtool', 'prometheus');
const isComplete = nginxProgram !== null && promtool !== null;

/** Returns the URL of an empty database by TCP, with what a shell would take for the end of a command. */
async function emptyDatabase() {
  const address = await createDatabase();
  const { port } = await startTcpProxy(address);
  const { user, password, database } = address;
  const login = `${user}:${encodeURIComponent(password)}`;
  const options = 'target_session_attrs=read-write&connect_timeout=5';
  return { address, url: `postgresql://${login}@127.0.0.1:${port}/${database}?${options}` };
}

/** A command of sed that sets a variable. */
const setting = (name: string, value: string) => `s|^#?${name}=.*|${name}=${value.replaceAll('&', '\\&')}|`;

// What can be wrong there without a cluster: the names and numbers of the image.
it('docs/production.md names user, ports and folders of the image for Kubernetes', async () => {
  const section = productionPage.split('\n## Kubernetes\n')[1]?.split('\n## ')[0] ?? '';
  const image = await readFile(join(projectDir, 'deploy/Dockerfile'), 'utf8');
  const [, user = ''] = /^USER (\d+):\1$/m.exec(image) ?? [];
  const [, client = '', internal = ''] = /^EXPOSE (\d+) (\d+)$/m.exec(image) ?? [];
  const [, data = ''] = /BRANDPORT_DATA_DIR=(\S+)/.exec(image) ?? [];
  for (const text of [
    `| user | ${user}, group ${user} `,
    `| ports | ${client} for clients; ${internal} for`,
    data,
  ])
    assert.ok(text !== '' && section.includes(text), text);
});

describe('docs/production.md, followed with systemd', { skip: !isComplete }, async () => {
  if (nginxProgram === null) return;
  const root = await ProductionRoot.create();
  const [main, before] = [await emptyDatabase(), await emptyDatabase()];
  // The person at the editor fills in what the page names.
  const edit = (...commands: string[]) =>
    root.program('editor', `sed -E -i ${commands.map((one) => `-e '${one}'`).join(' ')} "$1"`);
  const secrets = ['BRANDPORT_ADMIN_TOKEN', 'BRANDPORT_CURSOR_SECRET'] as const;
  const readSecrets = async () => {
    const settings = await root.readSettings('brandport.env');
    for (const name of secrets) for (const one of settings[name]?.split(',') ?? []) registerCanary(one);
    return settings;
  };
  const unit = (name: string) => root.units.get(name) as ServerProcess;
  const [saveFirst = '', upgrade = ''] = blocksOf('Upgrade');
  const loop = upgrade.slice(upgrade.indexOf('for at in'));
  const upstreamPorts = [root.port('8080'), root.port('8082')];
  const nginx = await startNginx({ program: nginxProgram, upstreamPorts });
  const agent = new Agent({ ca: nginx.certificate, keepAlive: true });
  after(() => agent.destroy());
  let traffic: Traffic;
  let apiKey = '';

  it('leads from the packages over TLS to a request with the first key, and to a backup', {
    timeout: 240_000,
  }, async () => {
    const [packages = '', project = '', settings = '', start = '', tls = ''] =
      blocksOf('With systemd (Debian 12)');
    await root.follow(packages, {
      '/usr/share/postgresql-common/pgdg/apt.postgresql.org.sh': 'true',
      'curl -fsSL https://deb.nodesource.com/setup_24.x | bash -': 'true',
    });
    await root.follow(project);
    const limits = ['READS', 'WRITES', 'BRAND'].map((name) =>
      setting(`BRANDPORT_LIMIT_CATALOG_${name}`, '0'),
    );
    const { stdout } = await execute('openssl', ['rand', '-hex', '64']);
    await edit(
      setting('BRANDPORT_ADMIN_TOKEN', stdout.slice(0, 64)),
      setting('BRANDPORT_CURSOR_SECRET', stdout.slice(64, 128)),
      setting('DATABASE_URL', main.url),
      setting('BRANDPORT_TRUSTED_PROXIES', '127.0.0.1, fd00::/8'),
      ...limits,
    );
    await root.follow(settings);
    assert.equal((await stat(join(root.dir, 'etc/brandport/brandport.env'))).mode & 0o777, 0o600);
    await root.assignPorts();
    const { DATABASE_URL } = await readSecrets();
    assert.equal(DATABASE_URL, main.url);
    assert.equal(await root.follow(start), '{"status":"ready"}');
    assert.deepEqual([...root.units.keys()], ['api-a', 'api-b', 'worker']);

    await writeFile(join(root.dir, 'certificate.pem'), nginx.certificate);
    await root.follow(tls, { 'nginx -t': `test -s ${root.dir}/etc/nginx/sites-enabled/brandport.conf` });

    const [first = '', request = ''] = blocksOf('The first brand and key');
    const issued = await root.follow(first);
    const [, key = ''] = issued.match(/"api_key":"([^"]+)"/) ?? [];
    registerCanary(key.slice(key.indexOf('.') + 1));
    const trust = `curl --cacert ${root.dir}/certificate.pem --connect-to api.example.com:443:127.0.0.1:${nginx.port}`;
    const products = await root.follow(request, { curl: trust }, { KEY: key });
    assert.deepEqual(JSON.parse(products).data, []);

    const [cron = ''] = blocksOf('Backup');
    await root.follow(cron);
    assert.equal((await stat(join(root.dir, 'var/backups/brandport'))).mode & 0o777, 0o700);
    const table = await readFile(join(root.dir, 'etc/cron.d/brandport'), 'utf8');
    for (const [, command = ''] of table.matchAll(/^\d+ \* \* \* \* root (.+)$/gm))
      await root.follow(command.replaceAll('\\%', '%'));
    const [, command = ''] = /^\d+ \* \* \* \* root (.+)$/m.exec(table) ?? [];
    const old = join(root.dir, 'var/backups/brandport/old.tar');
    const days = new Date(Date.now() - 3 * 86_400_000);
    await writeFile(old, '');
    await utimes(old, days, days);
    // The file of this hour exists: the backup fails, and nothing is deleted.
    await assert.rejects(root.follow(command.replaceAll('\\%', '%')));
    assert.equal((await stat(old)).size, 0);
    await root.follow(command.replaceAll('\\%', '%').replace('%FT%H', 'again'));
    await assert.rejects(stat(old), /ENOENT/);
    const listed = await execute('tar', ['-tf', join(root.dir, 'var/backups/brandport/again.tar')]);
    assert.match(listed.stdout, /manifest\.json/);
    const [monitoring = ''] = blocksOf('Monitoring');
    await root.follow(monitoring);
    const recorded = await readFile(join(root.dir, 'recorded'), 'utf8');
    for (const line of ['npm ci', 'npm prune --omit=dev'])
      assert.ok(recorded.includes(`${line}\n`), recorded);
    for (const line of ['daemon-reload', 'reload nginx', 'reload prometheus'])
      assert.ok(root.asked.includes(line), root.asked.join('\n'));

    ({ apiKey } = await seedBrand(unit('api-a'), 'Under load', scopes));
    const target = {
      clientUrl: `https://127.0.0.1:${nginx.port}`,
      agent,
      headers: { host: 'api.example.com' },
    };
    traffic = new Traffic([target], apiKey, 2);
  });

  it('upgrades under load without a failed request', { timeout: 240_000 }, async () => {
    await waitFor('some writes', () => traffic.acknowledged.length > 20, 60_000);
    await root.follow(saveFirst);
    const next = await makeNewerVersion();
    await symlink(join(projectDir, 'deploy'), join(next, 'deploy'));
    // What the old version would meet if it loaded a file of the new one.
    await writeFile(join(next, 'server/src/catalog/feeds/feed-body-thread.ts'), 'process.exit(1);\n');
    await rename(next, join(root.dir, 'opt/brandport-0.5.0'));
    await root.follow(upgrade.replace(loop, 'true'));
    // Large enough for a thread, whose code is loaded now.
    const { status, text } = await sendHttp(`${unit('api-a').clientUrl}/v1/client/catalog/stock/feeds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'between' },
      body: feedOf(5_000, 'between'),
    });
    assert.equal(status, 202, text);
    await root.follow(loop);
    await traffic.stop();
    assert.deepEqual(traffic.failures, []);
    const migrated = `select 1 from schema_migrations where name like '9999%'`;
    assert.equal((await runSql(main.address, migrated)).length, 1);
  });

  it('rotates the secrets while both are valid', { timeout: 240_000 }, async () => {
    const [add = '', remove = ''] = blocksOf('Rotate secrets');
    const statusOf = async (token = '') => {
      const headers = { authorization: `Bearer ${token}` };
      return (await sendHttp(`${unit('api-b').internalUrl}/internal/v1/brands`, { headers })).status;
    };
    const { BRANDPORT_ADMIN_TOKEN: old } = await readSecrets();
    await root.follow(add);
    const both = await readSecrets();
    const [fresh] = both['BRANDPORT_ADMIN_TOKEN']?.split(',') ?? [];
    for (const name of secrets) assert.match(both[name] ?? '', /^[0-9a-f]{64},[0-9a-f]{64}$/);
    await root.follow(loop);
    assert.deepEqual([await statusOf(old), await statusOf(fresh)], [200, 200]);
    await root.follow(remove);
    for (const name of secrets) assert.match((await readSecrets())[name] ?? '', /^[0-9a-f]{64}$/);
    await root.follow(loop);
    assert.deepEqual([await statusOf(old), await statusOf(fresh)], [401, 200]);
  });

  it('returns to the previous version with the backup, as its database has changed', {
    timeout: 240_000,
  }, async () => {
    const [swap = '', restore = ''] = blocksOf('Rollback');
    await root.follow(swap);
    await edit(setting('DATABASE_URL', before.url));
    await root.follow(restore);
    const { text } = await sendHttp(`${unit('api-a').internalUrl}/readyz`);
    assert.equal(text, '{"status":"ready"}');
    const [kept] = await runSql<{ count: number }>(
      before.address,
      'select count(*)::integer as count from products',
    );
    assert.ok((kept?.count ?? 0) >= 5, JSON.stringify(kept));
    for (const server of root.units.values()) assert.equal((await server.stop()).code, 0);
  });
});
