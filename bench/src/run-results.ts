import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';
import type pg from 'pg';
import type { Ratio } from './part.ts';
import { parts } from './parts/index.ts';
import type { Scale } from './scale.ts';
import type { Vitals } from './service.ts';

export interface PartResult {
  readonly part: string;
  readonly ratios: readonly Ratio[];
  /** Vitals of the server over the whole part. */
  readonly vitals: Vitals;
}

/** The measurements of a run: the content of `<scale>.json`. */
export interface RunResults {
  readonly scale: Scale;
  readonly machine: readonly string[];
  /** RFC 3339. */
  readonly startedAt: string;
  /** Short hash, with `+` when the tree had changes; `unknown` outside of a repository. */
  readonly commit: string;
  readonly results: readonly PartResult[];
}

/** @throws Error when the file is missing or is not JSON */
export async function readRunResults(file: string): Promise<RunResults> {
  return JSON.parse(await readFile(file, 'utf8')) as RunResults;
}

/** Merges runs that measured different parts. Of a part that several measured the last one counts. */
export function mergeRunResults(runs: readonly RunResults[]): RunResults {
  const last = runs.at(-1);
  if (last === undefined) throw new RangeError('no results');
  const results = parts.flatMap(({ name }) => {
    const found = runs.map((run) => run.results.find(({ part }) => part === name)).findLast(Boolean);
    return found === undefined ? [] : [found];
  });
  return { ...last, commit: [...new Set(runs.map(({ commit }) => commit))].join(', '), results };
}

export function currentCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

/** Describes the machine of a measurement, one fact per line. */
export async function describeMachine(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from pg_settings
     where name in ('server_version', 'shared_buffers', 'fsync', 'synchronous_commit', 'max_wal_size')
     order by name`,
  );
  const processors = cpus();
  return [
    `${processors.length} x ${processors[0]?.model ?? 'unknown processor'}, shared by PostgreSQL, the server and the load generator`,
    `${Math.round(totalmem() / 1024 ** 3)} GiB of memory, ${type()} ${release()}`,
    `Node ${process.version}; PostgreSQL: ${rows.map(({ name, setting }) => `${name} ${setting}`).join(', ')}`,
  ];
}
