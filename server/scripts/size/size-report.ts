import { type Area, areas } from './area-of.ts';
import type { CountedFile } from './count-lines.ts';

/** Returns two tables: files and lines of each area, and of each part of the repository that has product code or tests. */
export function sizeReport(files: readonly CountedFile[]): string {
  const byArea = areas.map((area) => [area, ...sizeOf(files.filter((file) => file.area === area))]);
  const parts = [...Map.groupBy(files, ({ part }) => part)]
    .filter(([, all]) => of(all, 'product').length + of(all, 'tests').length > 0)
    .sort(([a], [b]) => a.localeCompare(b));
  const core = of(files, 'product').filter(({ path }) => path.startsWith('server/src/'));
  const byPart = [
    ['server/src', ...sizeOf(core), spread(core), ''],
    ...parts.map(([part, all]) => {
      const product = of(all, 'product');
      return [part, ...sizeOf(product), spread(product), sizeOf(of(all, 'tests')).join(' / ')];
    }),
  ];
  return [
    table(['area', 'files', 'lines'], byArea),
    table(['part', 'files', 'lines', 'median / p90 / max', 'tests'], byPart),
  ].join('\n\n');
}

const of = (files: readonly CountedFile[], area: Area) => files.filter((file) => file.area === area);

function sizeOf(files: readonly CountedFile[]): [files: string, lines: string] {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return [files.length, lines].map((count) => count.toLocaleString('en')) as [string, string];
}

/** The median, the ninth decile and the maximum of the lines of a file. */
function spread(files: readonly CountedFile[]): string {
  const lines = files.map((file) => file.lines).sort((a, b) => a - b);
  return lines.length === 0
    ? ''
    : [0.5, 0.9, 1].map((share) => lines[Math.ceil(share * lines.length) - 1]).join(' / ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, n) => Math.max(...[head, ...rows].map((row) => row[n]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
        .join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
}
