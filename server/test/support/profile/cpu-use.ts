import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Milliseconds of processor time, user and system. */
export interface CpuUse {
  /** The time of this process. */
  readonly own: number;
  /** The time of the processes that it started and that have exited, with theirs; 0 where the system has no `/proc`. */
  readonly children: number;
}

/** Clock ticks per second in `/proc`: 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Returns the processor time that this process and its exited children used since its start. */
export function readCpuUse(): CpuUse {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1000, children: readChildren() };
}

/** Returns the time between two readings. */
export function cpuUseBetween(before: CpuUse, now: CpuUse): CpuUse {
  return { own: now.own - before.own, children: now.children - before.children };
}

function readChildren(): number {
  let stat: string;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return 0;
  }
  // Fields 16 and 17, cutime and cstime; the name in field 2 may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1000;
}
