import type { CpuUse } from './cpu-use.ts';
import type { UseRecord } from './record-use.ts';

/** Files that the table names; the others are one line. */
const shownFiles = 40;

/**
 * Describes what a run used, in seconds: the files with the most processor time first, then what is not any file's.
 * A file with its own process includes the loading of the service.
 *
 * @param records of files and processes, as JSON lines
 * @param total the time of the whole run, with PostgreSQL
 */
export function describeProfile(records: string, total: CpuUse): string {
  const all = records
    .split('\n')
    .filter((line) => line !== '')
    .map((line): UseRecord => JSON.parse(line));
  const processes = all.filter(({ kind }) => kind === 'process');
  const inGroups = all.filter(({ kind }) => kind === 'file');
  const files = [...inGroups, ...processes.filter(({ name }) => !isGroup(name))].sort(
    (a, b) => sum(b.cpu) - sum(a.cpu),
  );
  const processTime = sumOf(processes);
  const groupTime = sumOf(processes.filter(({ name }) => isGroup(name)));
  const lines = [
    line(['CPU', 'own', 'children', 'wall'], 'seconds per file'),
    ...files.slice(0, shownFiles).map((file) => row(file.cpu, file.wall, file.name)),
    rest(files.slice(shownFiles)),
    row({ own: groupTime - sumOf(inGroups), children: 0 }, null, 'loading of the processes that files share'),
    row({ own: total.own + total.children - processTime, children: 0 }, null, 'PostgreSQL and the runner'),
    row(total, null, 'the whole run'),
  ];
  return lines.join('\n');
}

function isGroup(name: string): boolean {
  return /group-\d+\.test\.mjs$/.test(name);
}

function rest(files: readonly UseRecord[]): string {
  const cpu = files.reduce(
    (all, file) => ({ own: all.own + file.cpu.own, children: all.children + file.cpu.children }),
    { own: 0, children: 0 },
  );
  const wall = files.reduce((all, file) => all + file.wall, 0);
  return row(cpu, wall, `${files.length} other files`);
}

function row(cpu: CpuUse, wall: number | null, name: string): string {
  const cells = [sum(cpu), cpu.own, cpu.children].map(seconds);
  return line([...cells, wall === null ? '' : seconds(wall)], name);
}

function line(cells: readonly string[], name: string): string {
  return `${cells.map((cell) => cell.padStart(9)).join('')}  ${name}`;
}

function sum({ own, children }: CpuUse): number {
  return own + children;
}

function sumOf(records: readonly UseRecord[]): number {
  return records.reduce((all, { cpu }) => all + sum(cpu), 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
