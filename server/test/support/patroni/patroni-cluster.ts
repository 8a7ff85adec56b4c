import type { ChildProcess } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import pg from 'pg';
import { ensureLibraryLinks, findBinaries } from '../../../src/postgres/embedded/binaries.ts';
import { chooseRunAs, type RunAs, spawnAs } from '../../../src/postgres/embedded/run-as.ts';
import { findFreePort } from '../free-port.ts';
import { sendHttp } from '../http-client.ts';
import { projectDir } from '../server-process.ts';
import { waitFor } from '../wait-for.ts';

export interface PatroniPrograms {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
}

/** A machine with Patroni and PostgreSQL. */
export interface Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
}

/** Slow, because a member may first copy the other one. */
const stateLimitMs = 90_000;

/**
 * Two members of Patroni with an etcd, and HAProxy in front, with the files of `deploy/patroni`: only addresses, paths and
 * passwords are replaced. PostgreSQL is the npm package's; scripts replace the two programs that it lacks.
 */
export class PatroniCluster {
  readonly members: readonly [Member, Member];
  readonly proxyPort: number;
  readonly #dir: string;
  readonly #runAs: RunAs;
  readonly #programs: PatroniPrograms;
  readonly #processes = new Map<string, ChildProcess>();

  private constructor(
    dir: string,
    runAs: RunAs,
    programs: PatroniPrograms,
    ports: { members: readonly [Member, Member]; proxy: number },
  ) {
    this.#dir = dir;
    this.#runAs = runAs;
    this.#programs = programs;
    this.members = ports.members;
    this.proxyPort = ports.proxy;
  }

  static async start(programs: PatroniPrograms): Promise<PatroniCluster> {
    const dir = await mkdtemp(join(tmpdir(), 'brandport-patroni-'));
    const runAs = await chooseRunAs(join(dir, 'data'));
    await chown(dir, runAs.owner.uid, runAs.owner.gid);
    const member = async (name: string): Promise<Member> => {
      return { name, port: await findFreePort(), restPort: await findFreePort() };
    };
    const members = [await member('db1'), await member('db2')] as const;
    const cluster = new PatroniCluster(dir, runAs, programs, { members, proxy: await findFreePort() });
    const end = () => cluster.#endAll();
    process.once('exit', end);
    after(() => {
      process.off('exit', end);
      end();
      rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
    });
    await cluster.#prepare();
    await cluster.startMember(members[0]);
    await cluster.untilRole(members[0], 'primary');
    await cluster.sql(members[0], 'create database brandport', 'postgres');
    await cluster.startMember(members[1]);
    await cluster.untilRole(members[1], 'synchronous');
    await cluster.#startProxy();
    return cluster;
  }

  async startMember({ name }: Member): Promise<void> {
    await this.#spawn(name, this.#programs.patroni, [join(this.#dir, `${name}.yml`)]);
  }

  /** Ends Patroni and PostgreSQL of a member at once, as a machine that loses its power does. */
  killMember({ name }: Member): void {
    this.#processes.get(name)?.kill('SIGKILL');
    const pid = this.#postmasterPid(name);
    if (pid === null) return;
    const children = readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ').map(Number);
    for (const one of [pid, ...children]) kill(one);
  }

  /** Waits until Patroni's REST interface answers 200 on the path of the role. */
  async untilRole({ restPort, name }: Member, role: 'primary' | 'synchronous'): Promise<void> {
    await waitFor(
      `${name} to be ${role}`,
      async () => (await sendHttp(`http://127.0.0.1:${restPort}/${role}`)).status === 200,
      stateLimitMs,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.#logOf(name)}`);
    });
  }

  /** Asks for a switchover from one member to the other. */
  async switchOver(from: Member, to: Member): Promise<void> {
    const { status, text } = await sendHttp(`http://127.0.0.1:${from.restPort}/switchover`, {
      method: 'POST',
      body: { leader: from.name, candidate: to.name },
    });
    if (status !== 200) throw new Error(`${status} ${text}`);
  }

  async sql<Row extends pg.QueryResultRow>(
    { port }: Member,
    text: string,
    database = 'brandport',
  ): Promise<Row[]> {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async #prepare(): Promise<void> {
    const binaries = findBinaries();
    await ensureLibraryLinks(binaries);
    const bin = join(this.#dir, 'bin');
    await mkdir(bin);
    for (const name of ['postgres', 'initdb', 'pg_ctl'])
      await symlink(join(binaries.root, 'bin', name), join(bin, name));
    const [isReady] = globSync('/usr/lib/postgresql/*/bin/pg_isready');
    if (isReady !== undefined) await symlink(isReady, join(bin, 'pg_isready'));
    for (const name of ['pg_basebackup', 'pg_controldata']) {
      await copyFile(new URL(name, import.meta.url), join(bin, name));
      await chmod(join(bin, name), 0o755);
    }
    const [client, peer] = [await findFreePort(), await findFreePort()];
    const etcd = `http://127.0.0.1:${client}`;
    await this.#spawn('etcd', this.#programs.etcd, [
      ...[
        '--data-dir',
        join(this.#dir, 'etcd'),
        '--listen-client-urls',
        etcd,
        '--advertise-client-urls',
        etcd,
      ],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--unsafe-no-fsync'],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ]);
    await waitFor('etcd', async () => (await sendHttp(`${etcd}/health`)).status === 200);
    const kit = await readFile(join(projectDir, 'deploy/patroni/patroni.yml'), 'utf8');
    for (const { name, port, restPort } of this.members)
      await this.#write(
        `${name}.yml`,
        kit
          .replace('name: db1', `name: ${name}`)
          .replaceAll('10.0.0.11:8008', `127.0.0.1:${restPort}`)
          .replace(/^ {2}hosts: .*$/m, `  hosts: [127.0.0.1:${client}]`)
          .replaceAll('10.0.0.11:5432', `127.0.0.1:${port}`)
          .replaceAll('10.0.0.0/24 scram-sha-256', '127.0.0.1/32 trust')
          .replace('/var/lib/postgresql/18/brandport', join(this.#dir, name))
          .replace('/usr/lib/postgresql/18/bin', bin)
          .replace('/var/lib/postgresql/.pgpass-patroni', join(this.#dir, `${name}.pgpass`)),
      );
  }

  async #startProxy(): Promise<void> {
    let kit = await readFile(join(projectDir, 'deploy/patroni/haproxy.cfg'), 'utf8');
    kit = kit
      .replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${this.proxyPort}`)
      .replace(/^ {2}server db3.*\n/m, '');
    for (const [index, { port, restPort }] of this.members.entries())
      kit = kit.replace(
        `10.0.0.1${index + 1}:5432 check port 8008`,
        `127.0.0.1:${port} check port ${restPort}`,
      );
    await this.#write('haproxy.cfg', kit);
    await this.#spawn('haproxy', this.#programs.haproxy, ['-db', '-f', join(this.#dir, 'haproxy.cfg')]);
  }

  async #spawn(name: string, program: string, args: readonly string[]): Promise<void> {
    const log = await open(join(this.#dir, `${name}.log`), 'a');
    const child = spawnAs(this.#runAs, program, args, ['ignore', log.fd, log.fd]);
    await log.close();
    this.#processes.set(name, child);
  }

  #endAll(): void {
    for (const member of this.members) this.killMember(member);
    for (const child of this.#processes.values()) child.kill('SIGKILL');
  }

  #postmasterPid(name: string): number | null {
    const file = join(this.#dir, name, 'postmaster.pid');
    if (!existsSync(file)) return null;
    const pid = Number.parseInt(readText(file), 10);
    return readText(`/proc/${pid}/cmdline`).includes(join(this.#dir, name)) ? pid : null;
  }

  #logOf(name: string): string {
    return readText(join(this.#dir, `${name}.log`)).slice(-4_000);
  }

  async #write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#dir, name), text);
    await chown(join(this.#dir, name), this.#runAs.owner.uid, this.#runAs.owner.gid);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}
