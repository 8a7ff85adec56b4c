import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BudgetLine } from './budgets.ts';

/**
 * Returns three tables: files and lines of each area, the budgets, and files and lines of each part of the repository
 * that has product code or tests.
 */
export function sizeReport(files: readonly CountedFile[], budgets: readonly BudgetLine[]): string {
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
    table(
      ['budget', 'now', 'limit'],
      budgets.map(({ name, size, limit }) => [name, size.toLocaleString('en'), limit.toLocaleString('en')]),
    ),
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

export interface CountedFile {
  readonly path: string;
  readonly area: Area;
  readonly part: string;
  readonly lines: number;
}

/** Counts the lines of the files that git tracks, as they are on disk; a file that is deleted there counts nothing. */
export async function countLines(root: string): Promise<CountedFile[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 24 });
  const counted: CountedFile[] = [];
  for (const path of stdout.split('\0')) {
    const area = areaOf(path);
    if (area === null) continue;
    const text = await readFile(join(root, path), 'utf8').catch(() => '');
    if (text !== '') counted.push({ path, area, part: partOf(path), lines: text.split('\n').length - 1 });
  }
  return counted;
}

/** The areas by which lines are counted, in the order of the report. Text of other kinds, such as settings, counts as none. */
export const areas = ['product', 'tests', 'dumps', 'docs', 'generated'] as const;

export type Area = (typeof areas)[number];

const generated = [
  /(^|\/)package-lock\.json$/,
  /^server\/openapi(-internal)?\.json$/,
  /^(client|cli|console)\/src\/generated\//,
  // Pages that generators, the benchmark or a test write.
  /^docs\/(configuration|invariants|performance|decisions\/README|guides\/warehouse-columns)\.md$/,
  /^server\/test\/plans\/plans\.md$/,
];

/** Returns the area of a tracked file by its path; null: it is counted in none. */
export function areaOf(path: string): Area | null {
  if (generated.some((pattern) => pattern.test(path))) return 'generated';
  if (path.endsWith('.md')) return 'docs';
  if (!/\.(tsx?|js|sql|css|html|sh)$/.test(path)) return null;
  if (path.startsWith('server/database/tests/states/')) return 'dumps';
  return /(^|\/)tests?\//.test(path) ? 'tests' : 'product';
}

/**
 * Returns the part of the repository that a file belongs to: its package, or its folder of `server/src`, `server` or
 * `extensions`.
 */
export function partOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const [first = '(root)', second, third] = folders;
  if (first === 'server' && second === 'src') return `server/src/${third ?? '*'}`;
  if (first === 'server' || first === 'extensions') return [first, second].filter(Boolean).join('/');
  return first;
}
