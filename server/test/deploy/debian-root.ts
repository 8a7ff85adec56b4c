import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { projectDir } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const execute = promisify(execFile);
const shell = (script: string) => execute('/bin/sh', ['-euc', script]);
const commandLimitMs = 300_000;
const base = 'systemd,systemd-sysv,dbus,ca-certificates';

/**
 * A fresh Debian 12 with the project in /opt/brandport-0.4.0 and the Node and npm of this machine, in a folder. Commands run
 * in it by chroot; once it has booted, under its systemd, in a container with a network that is only a loopback.
 */
export class DebianRoot {
  readonly dir: string;
  #container: ChildProcess | null = null;
  #init = 0;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** Installs the system from the mirror of this machine: a minute or two. Needs root. */
  static async create(): Promise<DebianRoot> {
    const root = new DebianRoot(await mkdtemp(join(tmpdir(), 'brandport-debian-')));
    after(() => root.#remove());
    await shell(
      `debootstrap --variant=minbase --include=${base} bookworm '${root.dir}' >'${root.dir}.log' 2>&1`,
    );
    await chmod(root.dir, 0o755);
    // No service starts before the system does.
    await writeFile(root.path('usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    await copyFile(process.execPath, root.path('usr/local/bin/node'));
    const npm = join(await realpath((await shell('command -v npm')).stdout.trim()), '../..');
    await cp(npm, root.path('usr/local/lib/node_modules/npm'), { recursive: true });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', root.path('usr/local/bin/npm'));
    // The registry that this machine uses, and the certificates that it trusts.
    await copyFile(join(homedir(), '.npmrc'), root.path('root/.npmrc')).catch(() => {});
    const { NODE_EXTRA_CA_CERTS: trusted } = process.env;
    if (trusted !== undefined) await copyFile(trusted, root.path('etc/ssl/trusted.pem'));
    await mkdir(root.path('opt/brandport-0.4.0'));
    await shell(
      `cd '${projectDir}' && git ls-files -z | tar --null -T - -c | tar -x -C '${root.path('opt/brandport-0.4.0')}'`,
    );
    await shell(`chown -R root: '${root.path('opt/brandport-0.4.0')}'`);
    return root;
  }

  path(inside: string): string {
    return join(this.dir, inside);
  }

  /** Runs a script in the project's folder as root, and returns what it prints. @throws Error with its standard error */
  async run(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const enter =
      this.#container === null
        ? // Compilers look for themselves in /proc, which vanishes with the namespace.
          ['unshare', '--pid', '--fork', `--mount-proc=${this.path('proc')}`, 'chroot', this.dir]
        : ['nsenter', '--all', '-t', `${this.#init}`];
    const [program = '', ...args] = [...enter, '/bin/sh', '-euc', `cd /opt/brandport-0.4.0\n${script}`];
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const { stdout } = await execute(program, args, {
      env: {
        PATH: path,
        HOME: '/root',
        LANG: 'C.UTF-8',
        NODE_EXTRA_CA_CERTS: '/etc/ssl/trusted.pem',
        DEBIAN_FRONTEND: 'noninteractive',
        ...env,
      },
      timeout: commandLimitMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  /** Boots the system, or boots it again. */
  async boot(): Promise<void> {
    await this.shutDown();
    const options = [
      '--register=no',
      '--keep-unit',
      '--private-network',
      '--link-journal=no',
      '--settings=no',
    ];
    const container = spawn('systemd-nspawn', ['-q', '-D', this.dir, ...options, '--boot'], {
      stdio: 'ignore',
    });
    this.#container = container;
    const isUp = async () => {
      // The first child is not yet the system.
      const children = `/proc/${container.pid}/task/${container.pid}/children`;
      this.#init = Number((await readFile(children, 'utf8')).trim().split(' ')[0]);
      return this.run('systemctl is-active multi-user.target');
    };
    await waitFor('the system', isUp, 90_000);
  }

  /** Powers the system off. */
  async shutDown(): Promise<void> {
    const container = this.#container;
    if (container === null) return;
    const ended = new Promise((resolve) => container.once('exit', resolve));
    // SIGRTMIN+4 asks its systemd to power off.
    await execute('/bin/kill', ['-s', 'RTMIN+4', `${this.#init}`]);
    await Promise.race([ended, waitFor('the end', () => container.exitCode !== null, 60_000)]);
    this.#container = null;
  }

  async #remove(): Promise<void> {
    await this.shutDown().catch(async () => {
      // The end of its init ends all processes of the container.
      if (this.#init > 0) await execute('/bin/kill', ['-KILL', `${this.#init}`]).catch(() => {});
      this.#container?.kill('SIGKILL');
    });
    const { stdout } = await shell(`grep -c ' ${this.dir}' /proc/mounts || true`);
    assert.equal(stdout.trim(), '0', 'nothing is mounted in the folder any more');
    await rm(this.dir, { recursive: true, force: true });
    await rm(`${this.dir}.log`, { force: true });
  }
}
