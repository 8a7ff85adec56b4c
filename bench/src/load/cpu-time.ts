import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds of processor time, user and system, that a process has had; 0 for one that is gone. Linux. */
export async function cpuTimeOf(pid: number): Promise<number> {
  const [, fields] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
  const values = fields?.split(' ') ?? [];
  // In ticks of 10 ms; fields 14 and 15 of proc_pid_stat(5).
  return 10 * (Number(values[11] ?? 0) + Number(values[12] ?? 0));
}

/** The same for all children of a process: PostgreSQL's backends and helpers, of its postmaster. */
export async function cpuTimeOfChildren(parent: number): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [, fields] = (await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')).split(') ');
    if (Number(fields?.split(' ')[1]) === parent) times.set(Number(name), await cpuTimeOf(Number(name)));
  }
  return times;
}
