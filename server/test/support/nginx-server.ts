import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';
import { runProxy } from './run-proxy.ts';
import { projectDir } from './server-process.ts';

const execute = promisify(execFile);

export interface TestNginx {
  readonly port: number;
  readonly httpPort: number;
  /** The certificate that clients have to trust. */
  readonly certificate: string;
  log(): Promise<string>;
}

export interface TestNginxOptions {
  readonly program: string;
  /** The ports of the client listeners on 127.0.0.1. */
  readonly upstreamPorts: readonly number[];
  /** Serves it below `/brandport/`, by the lines that the site has as a comment. */
  readonly isBelowPrefix?: boolean;
}

/**
 * Starts nginx with the site of `deploy/nginx`, on free ports and with its own certificate. Only addresses and paths
 * are replaced. Checks the configuration first, as `nginx -t` does. It stops with the test file.
 */
export async function startNginx({
  program,
  upstreamPorts,
  isBelowPrefix = false,
}: TestNginxOptions): Promise<TestNginx> {
  const directory = await mkdtemp(join(tmpdir(), 'brandport-nginx-'));
  const [port, httpPort] = [await findFreePort(), await findFreePort()];
  const [certificatePath, keyPath] = [join(directory, 'fullchain.pem'), join(directory, 'privkey.pem')];
  await execute('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=api.example.com', '-addext', 'subjectAltName=DNS:api.example.com'],
    ...['-keyout', keyPath, '-out', certificatePath],
  ]);
  const kit = join(projectDir, 'deploy/nginx');
  let site = (await readFile(join(kit, 'brandport.conf'), 'utf8'))
    .replaceAll('/etc/ssl/brandport', directory)
    .replaceAll('/etc/nginx/snippets', kit)
    .replace(/^ {2}server 127\.0\.0\.1:8080(.*)\n.*\n/m, (_, options: string) =>
      upstreamPorts.map((to) => `  server 127.0.0.1:${to}${options}\n`).join(''),
    )
    .replaceAll(/^ +listen \[::\].*\n/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`);
  if (isBelowPrefix) {
    const lines = /(?:^ {2}#(?: .*)?\n)+/gm;
    const uncommented = site.match(lines)?.find((text) => text.includes('location /brandport/')) ?? '';
    const location = uncommented
      .split('\n')
      .filter((line) => /[{};]$/.test(line) && !line.includes('Instead'))
      .map((line) => line.replace('#', ''))
      .join('\n');
    site = site.replace(/^ {2}location \/ \{[^}]*\}\n/m, `${location}\n`);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n');
  const file = join(directory, 'nginx.conf');
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log ${directory}/error.log info;
events { worker_connections 512; }
http { access_log off; ${temporary}\n${site} }
`,
  );
  const files = ['-c', file, '-e', join(directory, 'error.log')];
  await runProxy({ program, check: ['-t', ...files], run: files, directory, port, endWith: 'SIGTERM' });
  return {
    port,
    httpPort,
    certificate: await readFile(certificatePath, 'utf8'),
    log: () => readFile(join(directory, 'error.log'), 'utf8'),
  };
}
