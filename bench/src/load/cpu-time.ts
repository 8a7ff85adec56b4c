import { readdir, readFile } from 'node:fs/promises';

/** Returns the processor time of a process (user and system) in milliseconds; 0 after it exited. Linux only. */
export async function cpuTimeOf(pid: number): Promise<number> {
  const [, fields] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
  const values = fields?.split(' ') ?? [];
  // In ticks of 10 ms; fields 14 and 15 of proc_pid_stat(5).
  return 10 * (Number(values[11] ?? 0) + Number(values[12] ?? 0));
}

/**
 * Returns the processor time in milliseconds of each child of a process that has one thread, such as the backends and
 * background processes of a postmaster. It reads nanoseconds: the ticks of many backends would add up to a large error.
 */
export async function cpuTimeOfChildren(parent: number): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [, fields] = (await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')).split(') ');
    if (Number(fields?.split(' ')[1]) !== parent) continue;
    const nanoseconds = (await readFile(`/proc/${name}/schedstat`, 'utf8').catch(() => '0')).split(' ')[0];
    times.set(Number(name), Number(nanoseconds) / 1e6);
  }
  return times;
}
