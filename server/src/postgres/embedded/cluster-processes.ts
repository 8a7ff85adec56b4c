import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A PostgreSQL process of one cluster: the server, or one of the processes that it made. */
export interface ClusterProcess {
  readonly pid: number;
  readonly isServer: boolean;
}

/** The wrappers become the server at once, but a kill may come in between. */
const serverProgram = /(^|\/)(postgres|setpriv|unshare)$/;

/**
 * The live processes of the cluster with this name, by their command lines: the server was started with the name as
 * a setting, and the server's own processes show it in their titles. Unlike the pid in a file, a command line cannot
 * be another program's, which matters since these processes are sent signals.
 */
export async function listClusterProcesses(clusterName: string): Promise<ClusterProcess[]> {
  const processes: ClusterProcess[] = [];
  for (const { pid, command } of await listCommands()) {
    const [program = '', ...args] = command.split(/[\0 ]/);
    const isServer = serverProgram.test(program) && args.includes(`cluster_name=${clusterName}`);
    if (isServer || command.startsWith(`postgres: ${clusterName}: `)) processes.push({ pid, isServer });
  }
  return processes;
}

/** Whether this process is a PostgreSQL server on this directory, started by anyone. */
export async function isServerOn(clusterDir: string, pid: number): Promise<boolean> {
  const found = (await listCommands([pid])).find((entry) => entry.pid === pid);
  const [program = ''] = found?.command.split(/[\0 ]/) ?? [];
  if (found === undefined || !/(^|\/)(postgres|postmaster)$/.test(program)) return false;
  // a server's working directory is its cluster; not everybody may see it
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingDir === clusterDir || found.command.includes(clusterDir);
}

interface Command {
  readonly pid: number;
  readonly command: string;
}

/** /proc where there is one: small container images have no ps. */
async function listCommands(pids?: readonly number[]): Promise<Command[]> {
  if (process.platform !== 'linux') return listCommandsWithPs();
  const all = pids ?? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    // a process that ended meanwhile, and one that is not waited for, has no command line
    all.map(async (pid) => ({
      pid,
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
}

async function listCommandsWithPs(): Promise<Command[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 64 << 20,
  });
  return stdout.split('\n').map((line) => {
    const [, pid = '0', command = ''] = line.match(/^\s*(\d+) (.*)$/) ?? [];
    return { pid: Number(pid), command };
  });
}
