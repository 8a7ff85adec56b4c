import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { registerCanary } from '../support/canaries.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { startNginx } from '../support/nginx-server.ts';
import { projectDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

// Follows docs/production.md on this machine: its blocks run in a shell, with the folders of the system in a temporary one.
// Programs that change the system itself (packages, users, services) are replaced by ones that record their arguments.

const execute = promisify(execFile);
const page = await readFile(join(projectDir, 'docs/production.md'), 'utf8');
const replaced = ['apt-get', 'useradd', 'su', 'npm', 'systemctl', 'chown'];
const nginxProgram = findSystemProgram('nginx', 'nginx');
const promtool = findSystemProgram('promtool', 'prometheus');
const isComplete = nginxProgram !== null && promtool !== null;

/** Returns the blocks of a section, without the indentation of a list. */
function blocksOf(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

describe('docs/production.md, followed with systemd', { skip: !isComplete }, async () => {
  if (nginxProgram === null) return;
  const root = await mkdtemp(join(tmpdir(), 'brandport-production-'));
  after(() => rm(root, { recursive: true, force: true }));
  for (const folder of ['bin', 'etc/systemd/system', 'etc/nginx/snippets', 'etc/nginx/sites-enabled'])
    await mkdir(join(root, folder), { recursive: true });
  for (const folder of ['etc/prometheus', 'var/backups'])
    await mkdir(join(root, folder), { recursive: true });
  const program = async (name: string, script: string) => {
    await writeFile(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
    await chmod(join(root, 'bin', name), 0o755);
  };
  for (const name of replaced) await program(name, `echo "${name} $*" >> '${root}/recorded'`);
  const database = await createDatabase();
  const proxy = await startTcpProxy(join(database.host, `.s.PGSQL.${database.port}`));
  // By TCP. With what a shell would take for the end of a command.
  const { user, password, database: name } = database;
  const url = `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}/${name}?target_session_attrs=read-write&connect_timeout=5`;
  // The person at the editor fills in what the page names.
  await program(
    'editor',
    `for name in BRANDPORT_ADMIN_TOKEN BRANDPORT_CURSOR_SECRET; do
  sed -i "s|^$name=.*|$name=$(openssl rand -hex 32)|" "$1"
done
sed -i 's|^#DATABASE_URL=.*|DATABASE_URL=${url.replace('&', '\\&')}|; s|^#OTEL_SERVICE_NAME=.*|OTEL_SERVICE_NAME=brandport; of the shop|; s|^#BRANDPORT_TRUSTED_PROXIES=|BRANDPORT_TRUSTED_PROXIES=|' "$1"`,
  );

  /** Runs a block as the page has it, but for folders and the given texts. */
  const follow = async (
    block: string,
    texts: Readonly<Record<string, string>> = {},
    env: Readonly<Record<string, string>> = {},
  ) => {
    let script = block
      .replaceAll(/(?<![\w/])\/(?=etc\/|var\/)/g, `${root}/`)
      .replaceAll('/opt/brandport', projectDir);
    for (const [text, other] of Object.entries(texts)) script = script.replaceAll(text, other);
    const path = `${root}/bin:${process.env['PATH'] ?? ''}:/usr/sbin`;
    const options = { cwd: projectDir, env: { ...env, PATH: path }, timeout: 120_000 };
    return (await execute('/bin/sh', ['-euc', script], options)).stdout;
  };

  const [packages = '', project = '', settings = '', start = '', tls = ''] =
    blocksOf('With systemd (Debian 12)');
  const envFile = join(root, 'etc/brandport/brandport.env');
  const readSettings = async (...files: string[]) => {
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const lines = texts.flatMap((text) => [...text.matchAll(/^(\w+)=(.+)$/gm)]);
    return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
  };

  it('leads from the packages over TLS to a request with the first key, and to a backup', {
    timeout: 240_000,
  }, async () => {
    await follow(packages, {
      '/usr/share/postgresql-common/pgdg/apt.postgresql.org.sh': 'true',
      'curl -fsSL https://deb.nodesource.com/setup_24.x | bash -': 'true',
    });
    await follow(project);
    await follow(settings);
    assert.equal((await stat(envFile)).mode & 0o777, 0o600);
    const unit = `${start.split('\n').slice(0, -2).join('\n')}\n`;
    await follow(unit);
    const env = await readSettings(envFile, join(root, 'etc/brandport/api-a.env'));
    registerCanary(env['BRANDPORT_ADMIN_TOKEN'] ?? '');
    assert.equal(env['DATABASE_URL'], url);
    const dataDir = join(root, 'var/lib/brandport');
    const own = { ...env, BRANDPORT_DATA_DIR: dataDir, PORT: '0', BRANDPORT_INTERNAL_PORT: '0' };
    const server = await startServerProcess({ env: own });
    const internal = { 'http://127.0.0.1:8081': server.internalUrl };
    const [ready = ''] = start.split('\n').slice(-2);
    assert.match(ready, /readyz/);
    assert.equal(await follow(ready, internal), '{"status":"ready"}');

    const nginx = await startNginx({
      program: nginxProgram,
      upstreamPorts: [Number(new URL(server.clientUrl).port)],
    });
    await writeFile(join(root, 'certificate.pem'), nginx.certificate);
    await follow(tls, { 'nginx -t': `test -s ${root}/etc/nginx/sites-enabled/brandport.conf` });

    const [first = '', request = ''] = blocksOf('The first brand and key');
    const issued = await follow(first, internal, {
      BRANDPORT_ADMIN_TOKEN: env['BRANDPORT_ADMIN_TOKEN'] ?? '',
    });
    const [, key = ''] = issued.match(/"api_key":"([^"]+)"/) ?? [];
    registerCanary(key.slice(key.indexOf('.') + 1));
    const trust = `curl --cacert ${root}/certificate.pem --connect-to api.example.com:443:127.0.0.1:${nginx.port}`;
    const products = await follow(request, { curl: trust }, { KEY: key });
    assert.deepEqual(JSON.parse(products).data, []);

    const [regular = '', backup = ''] = blocksOf('Backup');
    await follow(regular);
    const worker = await readSettings(join(root, 'etc/brandport/worker.env'));
    assert.equal((await stat(worker['BRANDPORT_BACKUP_DIR'] ?? '')).mode & 0o777, 0o700);
    await follow(backup);
    const { stdout } = await execute('/bin/sh', ['-c', `tar -tf ${root}/var/backups/brandport-*.tar`]);
    assert.match(stdout, /manifest\.json/);

    const [monitoring = ''] = blocksOf('Monitoring');
    await follow(monitoring);
    const recorded = await readFile(join(root, 'recorded'), 'utf8');
    for (const line of [
      'npm ci',
      'npm prune --omit=dev',
      'systemctl daemon-reload',
      'systemctl reload prometheus',
    ])
      assert.ok(recorded.includes(`${line}\n`), recorded);
  });
});
