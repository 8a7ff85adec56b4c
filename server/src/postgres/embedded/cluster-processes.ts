import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A PostgreSQL process of one cluster: the server, or one of its child processes. */
export interface ClusterProcess {
  readonly pid: number;
  readonly isServer: boolean;
}

/** The wrappers are replaced by the server at once, but may be killed before that. */
const serverProgram = /(^|\/)(postgres|setpriv)$/;

/**
 * Lists the live processes of the cluster with this name, found by their command lines: unlike a pid from a file, these cannot
 * belong to another program, which matters because these processes receive signals.
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

export async function isServerOn(clusterDir: string, pid: number): Promise<boolean> {
  const found = (await listCommands([pid])).find((entry) => entry.pid === pid);
  const [program = ''] = found?.command.split(/[\0 ]/) ?? [];
  if (found === undefined || !/(^|\/)(postgres|postmaster)$/.test(program)) return false;
  // a server's working directory is its cluster; it may be unreadable for this user
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingDir === clusterDir || found.command.includes(clusterDir);
}

interface Command {
  readonly pid: number;
  readonly command: string;
}

/** Reads /proc where it exists, because small container images have no ps. */
async function listCommands(pids?: readonly number[]): Promise<Command[]> {
  if (process.platform !== 'linux') return listCommandsWithPs();
  const all = pids ?? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    // a process that has ended in the meantime, and a zombie, have no command line
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
