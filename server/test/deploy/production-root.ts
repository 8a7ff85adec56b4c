import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from '../support/free-port.ts';
import { listeningUrl } from '../support/listening-url.ts';
import { projectDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';

const execute = promisify(execFile);
/** Programs that change the system; they record their arguments. */
const replaced = ['apt-get', 'useradd', 'su', 'npm', 'chown'];
const instances = ['api-a', 'api-b', 'worker'];
const folders = [
  ...['bin', 'opt', 'etc/systemd/system', 'etc/nginx/snippets', 'etc/nginx/sites-enabled'],
  ...['etc/prometheus', 'etc/cron.d', 'var/backups'],
];

/**
 * A temporary folder that blocks of docs/production.md take for `/`: a copy of the project is in its `opt`, and its `systemctl`
 * starts, stops and restarts processes with the settings of its `etc/brandport`, on free ports.
 */
export class ProductionRoot {
  readonly dir: string;
  /** The running instances, by name. */
  readonly units = new Map<string, ServerProcess>();
  /** The arguments of each `systemctl`. */
  readonly asked: string[] = [];
  /** The ports of the page, and those that are used. */
  readonly #ports = new Map<string, number>();

  private constructor(dir: string) {
    this.dir = dir;
  }

  static async create(): Promise<ProductionRoot> {
    const root = new ProductionRoot(await mkdtemp(join(tmpdir(), 'brandport-production-')));
    after(() => rm(root.dir, { recursive: true, force: true }));
    for (const folder of folders) await mkdir(join(root.dir, folder), { recursive: true });
    // Copied: links would lead to the project, wherever the folder is moved.
    const home = join(root.dir, 'opt/brandport-0.4.0');
    const filter = (path: string) => !['.git', 'node_modules', 'data'].includes(basename(path));
    await cp(projectDir, home, { recursive: true, filter });
    await symlink(join(projectDir, 'node_modules'), join(home, 'node_modules'));
    for (const port of ['8080', '8081', '8082', '8083', '8084', '8085'])
      root.#ports.set(port, await findFreePort());
    for (const name of replaced) await root.program(name, `echo "${name} $*" >> '${root.dir}/recorded'`);
    await root.program('systemctl', `curl -sfS --max-time 100 --data "$*" ${await root.#listen()}`);
    return root;
  }

  /** Replaces a program of the system. */
  async program(name: string, script: string): Promise<void> {
    await writeFile(join(this.dir, 'bin', name), `#!/bin/sh\n${script}\n`);
    await chmod(join(this.dir, 'bin', name), 0o755);
  }

  /** Runs a block as the page has it, but for folders, ports and the given texts, and returns what it prints. */
  async follow(
    block: string,
    texts: Readonly<Record<string, string>> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    assert.notEqual(block, '', 'the page has the block');
    let script = block
      .replaceAll(/(?<![\w/])\/(?=etc\/|var\/|opt\/)/g, `${this.dir}/`)
      .replaceAll(/:(80\d\d)\b/g, (_, port: string) => `:${this.#ports.get(port) ?? port}`);
    for (const [text, other] of Object.entries(texts)) script = script.replaceAll(text, other);
    const path = `${this.dir}/bin:${process.env['PATH'] ?? ''}:/usr/sbin`;
    const options = {
      cwd: join(this.dir, 'opt/brandport-0.4.0'),
      env: { ...env, PATH: path },
      timeout: 200_000,
    };
    return (await execute('/bin/sh', ['-euc', script], options)).stdout;
  }

  /** Reads the variables that files of `etc/brandport` set. */
  async readSettings(...names: string[]): Promise<Record<string, string>> {
    const files = names.map((name) => readFile(join(this.dir, 'etc/brandport', name), 'utf8'));
    const lines = (await Promise.all(files)).flatMap((text) => [...text.matchAll(/^(\w+)=(.+)$/gm)]);
    return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
  }

  /** Returns the port that is used instead of one of the page. */
  port(ofPage: string): number {
    return this.#ports.get(ofPage) ?? assert.fail(ofPage);
  }

  /** Writes the ports that are used into the settings of all instances. */
  async assignPorts(): Promise<void> {
    for (const instance of instances) {
      const file = join(this.dir, 'etc/brandport', `${instance}.env`);
      const text = await readFile(file, 'utf8');
      await writeFile(
        file,
        text.replaceAll(/^(\w*PORT)=(\d+)$/gm, (_, name, port) => `${name}=${this.port(port)}`),
      );
    }
  }

  /** Accepts the arguments of `systemctl`, and returns where. */
  async #listen(): Promise<string> {
    const server = createServer(async (request, response) => {
      const failure = await this.#control(await textOf(request)).catch((error: Error) => error);
      response.writeHead(failure instanceof Error ? 500 : 200).end(failure?.message ?? '');
    });
    return listeningUrl(server);
  }

  /** Does what systemd would do with the units of Brandport. */
  async #control(args: string): Promise<undefined> {
    this.asked.push(args);
    const [verb = '', ...rest] = args.split(' ');
    // Its instances stop with the target, and start with it.
    const chosen = rest.includes('brandport.target')
      ? instances
      : instances.filter((name) => rest.includes(`brandport@${name}`));
    for (const name of chosen) {
      if (verb === 'stop' || verb === 'restart') {
        assert.equal((await this.units.get(name)?.stop())?.code, 0, name);
        this.units.delete(name);
      }
      if (verb === 'start' || verb === 'restart' || (verb === 'enable' && rest.includes('--now')))
        this.units.set(name, await this.#start(name));
    }
  }

  async #start(name: string): Promise<ServerProcess> {
    const env = {
      ...(await this.readSettings('brandport.env', `${name}.env`)),
      BRANDPORT_DATA_DIR: join(this.dir, 'var/lib/brandport'),
    };
    return startServerProcess({ env, project: join(this.dir, 'opt/brandport') });
  }
}
