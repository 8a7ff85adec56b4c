import type { ChildProcess } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import pg from 'pg';
import { type Binaries, ensureLibraryLinks, findBinaries } from '../../../src/postgres/embedded/binaries.ts';
import { chooseRunAs, type RunAs, runAsToEnd, spawnAs } from '../../../src/postgres/embedded/run-as.ts';
import { childPids, signalProcess } from '../child-processes.ts';
import { findFreePort } from '../free-port.ts';
import type { Certificate } from '../tls-authority.ts';
import { waitFor } from '../wait-for.ts';
import { MemoryDisk } from './memory-disk.ts';

const settings = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_level=replica', 'hot_standby=on'],
  ...['wal_keep_size=512MB', 'max_connections=60', 'shared_buffers=64MB', 'timezone=UTC', 'log_timezone=UTC'],
  // Nothing is killed with the machine, so that disks are not what is tested.
  ...['fsync=off', 'full_page_writes=off', 'checkpoint_timeout=1h', 'log_min_error_statement=panic'],
];

/** A PostgreSQL server on a loopback port, which can be killed, frozen, copied and promoted. Stops with the file. */
export class PostgresNode {
  readonly port: number;
  readonly dir: string;
  readonly #binaries: Binaries;
  readonly #runAs: RunAs;
  readonly #settings = [...settings];
  #process: ChildProcess | null = null;
  #log = '';
  #disk: MemoryDisk | null = null;

  private constructor(port: number, dir: string, binaries: Binaries, runAs: RunAs) {
    this.port = port;
    this.dir = dir;
    this.#binaries = binaries;
    this.#runAs = runAs;
    const kill = () => {
      this.#process?.kill('SIGKILL');
      this.#disk?.unmount();
    };
    process.once('exit', kill);
    after(async () => {
      process.off('exit', kill);
      await this.kill();
      this.#disk?.unmount();
      keepLog(this.#log);
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Makes an empty directory for a server; the caller fills it. */
  static async create(): Promise<PostgresNode> {
    const dir = await mkdtemp(join(tmpdir(), 'brandport-node-'));
    const binaries = findBinaries();
    await ensureLibraryLinks(binaries);
    const runAs = await chooseRunAs(join(dir, 'data'));
    await mkdir(join(dir, 'data'), { mode: 0o700 });
    await chown(join(dir, 'data'), runAs.owner.uid, runAs.owner.gid);
    return new PostgresNode(await findFreePort(), dir, binaries, runAs);
  }

  /**
   * Creates and starts a primary with an empty database `brandport`.
   * @param isArchived it copies its WAL to `archiveDir`
   * @param hasDisk gives its data, without the WAL, a separate disk in memory, `disk`, which can be filled; only root may
   */
  static async createPrimary({ isArchived = false, hasDisk = false } = {}): Promise<PostgresNode> {
    const node = await PostgresNode.create();
    if (isArchived) {
      await mkdir(node.archiveDir, { mode: 0o700 });
      await chown(node.archiveDir, node.#runAs.owner.uid, node.#runAs.owner.gid);
      node.#settings.push('archive_mode=on', `archive_command=/bin/cp %p ${node.archiveDir}/%f`);
    }
    const wal = hasDisk ? await node.#mountDisk() : [];
    const args = ['-D', node.dataDir, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const { failure, output } = await runAsToEnd(node.#runAs, node.#binaries.initdb, [
      ...args,
      ...locale,
      ...wal,
    ]);
    if (failure !== undefined) throw new Error(`initdb: ${output}`);
    await node.start();
    await node.sql('create database brandport', 'postgres');
    return node;
  }

  /** Creates and starts a standby that streams from this server, and waits until it does. */
  async createStandby(name: string): Promise<PostgresNode> {
    const node = await this.backUp(name);
    const conninfo = `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}`;
    await node.#write('standby.signal', '');
    await node.#write('postgresql.auto.conf', `primary_conninfo = '${conninfo}'\n`);
    await node.start();
    await waitFor('the standby to stream', async () => {
      const found = await this.sql(
        'select from pg_stat_replication where application_name = $1',
        'postgres',
        [name],
      );
      return found.length === 1;
    });
    return node;
  }

  /** Copies the files of the running server to another one, which is not started, as a base backup. */
  async backUp(label: string): Promise<PostgresNode> {
    const node = await PostgresNode.create();
    const client = await this.connect('postgres');
    await client.query(`select pg_backup_start($1, true)`, [label]);
    // Files change and vanish meanwhile, which the first tar reports; WAL comes from the server or its archive.
    const copy = `tar -C ${this.dataDir} -cf - --exclude='./pg_wal/*' --exclude=./postmaster.pid . | tar -C ${node.dataDir} -xf -`;
    const copied = await runAsToEnd(this.#runAs, '/bin/sh', ['-c', copy]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await client.end();
    if (copied.failure !== undefined) throw new Error(`tar: ${copied.output}`);
    await node.#write('backup_label', rows[0].labelfile);
    return node;
  }

  /** Waits until all WAL so far is in the archive. */
  async archiveAll(): Promise<void> {
    const [last] = await this.sql<{ name: string }>(
      'select pg_walfile_name(pg_switch_wal()) as name',
      'postgres',
    );
    await waitFor('the archive', async () => {
      const text = 'select from pg_stat_archiver where last_archived_wal >= $1';
      return (await this.sql(text, 'postgres', [last?.name])).length === 1;
    });
  }

  /** Starts a base backup, recovers it from an archive to a time, and accepts writes then. */
  async recover(archiveDir: string, until: Date): Promise<void> {
    await this.#write('recovery.signal', '');
    // The start does not know the abbreviation Z yet.
    const target = until.toISOString().replace('Z', '+00');
    await this.#write(
      'postgresql.auto.conf',
      `restore_command = '/bin/cp ${archiveDir}/%f %p'\nrecovery_target_time = '${target}'\n` +
        `recovery_target_action = 'promote'\n`,
    );
    await this.start();
    await waitFor(
      'the end of the recovery',
      async () => {
        const [row] = await this.sql<{ done: boolean }>('select not pg_is_in_recovery() as done', 'postgres');
        return row?.done;
      },
      60_000,
    );
  }

  /** Makes every commit wait for the standby of this name, and waits until it is the synchronous one. */
  async waitForStandbyAtCommit(name: string): Promise<void> {
    await this.sql(`alter system set synchronous_standby_names = '${name}'`, 'postgres');
    await this.sql('select pg_reload_conf()', 'postgres');
    await waitFor('the synchronous standby', async () => {
      const found = await this.sql(`select from pg_stat_replication where sync_state = 'sync'`, 'postgres');
      return found.length === 1;
    });
  }

  /** The copies of an archived server's WAL; not in its data directory. */
  get archiveDir(): string {
    return join(this.dir, 'archive');
  }

  get dataDir(): string {
    return join(this.dir, 'data');
  }

  /** The address of a database, for `DATABASE_URL`. */
  url(database = 'brandport'): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }

  get log(): string {
    return this.#log;
  }

  /** Starts the server and waits until it accepts connections. */
  async start(): Promise<void> {
    const args = [
      '-D',
      this.dataDir,
      ...[...this.#settings, `port=${this.port}`].flatMap((one) => ['-c', one]),
    ];
    const child = spawnAs(this.#runAs, this.#binaries.postgres, args, ['ignore', 'pipe', 'pipe']);
    this.#process = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text;
      });
    await waitFor('PostgreSQL', async () => {
      if (child.exitCode !== null) throw new Error(this.#log);
      return (await this.sql('select 1', 'postgres')).length === 1;
    });
  }

  /** Ends it at once, with all its sessions, as a machine that loses its power does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // The postmaster first, so that it starts nothing again; its children end when they notice.
    child.kill('SIGKILL');
    for (const pid of childPids(child.pid ?? 0)) signalProcess(pid, 'SIGKILL');
    await ended;
    this.#process = null;
  }

  /** Accepts TLS with this certificate from now on. Connections without TLS are refused, except for those of this class. */
  async requireTls({ certificate, key }: Certificate): Promise<void> {
    await this.#write('server.crt', certificate);
    await this.#write('server.key', key, 0o600);
    const ours = 'host postgres postgres 127.0.0.1/32 trust';
    await this.#write('pg_hba.conf', `${ours}\nhostssl all postgres 127.0.0.1/32 trust\n`);
    await this.sql('alter system set ssl = on', 'postgres');
    await this.sql('select pg_reload_conf()', 'postgres');
    await waitFor(
      'TLS',
      async () => (await this.sql<{ ssl: string }>('show ssl', 'postgres'))[0]?.ssl === 'on',
    );
  }

  /** Makes the standby the primary, and returns when it accepts writes. */
  async promote(): Promise<void> {
    await this.sql('select pg_promote(true, 30)', 'postgres');
  }

  /** Stops every process of the server where it is; SIGCONT continues them. */
  signalAll(name: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#process?.pid ?? 0;
    for (const one of [pid, ...childPids(pid)]) signalProcess(one, name);
  }

  /** The disk of a primary that was created with one. */
  get disk(): MemoryDisk {
    if (this.#disk === null) throw new Error('the primary was created without a disk');
    return this.#disk;
  }

  /** Returns the arguments of initdb that keep the WAL elsewhere: without it PostgreSQL would stop. */
  async #mountDisk(): Promise<string[]> {
    const { owner } = this.#runAs;
    this.#disk = MemoryDisk.mount(this.dataDir, owner);
    const wal = join(this.dir, 'wal');
    await mkdir(wal, { mode: 0o700 });
    await chown(wal, owner.uid, owner.gid);
    return [`--waldir=${wal}`];
  }

  async connect(database = 'brandport'): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url(database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async sql<Row extends pg.QueryResultRow>(
    text: string,
    database = 'brandport',
    values: unknown[] = [],
  ): Promise<Row[]> {
    const client = await this.connect(database);
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async #write(name: string, text: string, mode = 0o644): Promise<void> {
    await writeFile(join(this.dataDir, name), text, { mode });
    await chown(join(this.dataDir, name), this.#runAs.owner.uid, this.#runAs.owner.gid);
  }
}

/** Adds a server's log to the run's, which is searched for secrets. */
function keepLog(text: string): void {
  const file = process.env['BRANDPORT_TEST_LOG'];
  if (file !== undefined) appendFileSync(file, text);
}
