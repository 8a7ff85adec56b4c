import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { parts } from './parts/index.ts';
import { type Scale, scales } from './scale.ts';
import type { OtherOptions } from './start-other.ts';

export interface BenchOptions {
  readonly scale: Scale;
  /** The names of the parts to run; null: all. */
  readonly only: readonly string[] | null;
  /** The kept database and the server's data; null: a temporary directory that is removed. */
  readonly keep: string | null;
  /** The server to compare with; null: none. */
  readonly against: OtherOptions | null;
  /** Receives the results. */
  readonly out: string;
  /** Runs doctor after the last part. */
  readonly doctor: boolean;
  /** The file of the performance page; null: none is written. */
  readonly page: string | null;
  /** Results of earlier runs, from which the page is written without a run; null: this run. */
  readonly from: readonly string[] | null;
}

interface Flags {
  readonly quick?: boolean;
  readonly only?: readonly string[];
  readonly rounds?: number;
  readonly seconds?: number;
  readonly keep?: string;
  readonly against?: string;
  readonly againstKeep?: string;
  readonly out: string;
  readonly doctor: boolean;
  readonly page?: string;
  readonly from?: readonly string[];
}

/** Reads the command line. Exits with a message when an option is invalid. */
export function readOptions(args: readonly string[]): BenchOptions {
  const command = new Command('bench')
    .option('--quick', 'small data and short rounds: checks that everything runs, asserts no time')
    .option('--only <parts>', `these parts only: ${parts.map(({ name }) => name).join(', ')}`, partNames)
    .option('--rounds <n>', 'rounds of each comparison', positive)
    .option('--seconds <n>', 'seconds of each round', positive)
    .option('--keep <dir>', 'keep the data here and reuse them in the next run')
    .option('--against <checkout>', 'compare with the server of another checkout (parts against-…)')
    .option('--against-keep <dir>', 'the kept data of the other checkout; default: the data of this run')
    .option('--out <dir>', 'where the results go', 'bench/results')
    .option('--no-doctor', 'skip the check of the data after the last part')
    .option('--page <file>', 'write the performance page from the results')
    .option('--from <files>', 'with --page: merge these results instead of a run', list);
  const { quick = false, rounds, seconds, ...flags } = command.parse(args).opts<Flags>();
  if (flags.page !== undefined && flags.only !== undefined)
    command.error('error: --page needs every part; run the parts first, then use --from');
  if (flags.from !== undefined && flags.page === undefined) command.error('error: --from needs --page');
  const needs = parts.flatMap((part) => (flags.only?.includes(part.name) ? part.needs : []));
  const comparesVersions = needs.some((need) => need !== undefined && need !== 'ClickHouse');
  if (flags.against === undefined && (flags.againstKeep ?? comparesVersions))
    command.error('error: the parts against-… and --against-keep need --against');
  // On one database either server applies the feeds of both.
  if (flags.againstKeep === undefined && needs.includes('data of the other'))
    command.error('error: the part against-feed needs --against-keep');
  const scale = scales[quick ? 'quick' : 'full'];
  return {
    scale: {
      ...scale,
      rounds: rounds ?? scale.rounds,
      roundSeconds: seconds ?? scale.roundSeconds,
    },
    only: flags.only ?? null,
    keep: flags.keep === undefined ? null : resolve(flags.keep),
    against:
      flags.against === undefined
        ? null
        : {
            project: resolve(flags.against),
            keep: flags.againstKeep === undefined ? null : resolve(flags.againstKeep),
          },
    out: resolve(flags.out),
    doctor: flags.doctor,
    page: flags.page === undefined ? null : resolve(flags.page),
    from: flags.from ?? null,
  };
}

function list(value: string): string[] {
  return value.split(',').filter((each) => each !== '');
}

function partNames(value: string): string[] {
  const names = list(value);
  for (const name of names)
    if (!parts.some((part) => part.name === name))
      throw new InvalidArgumentError(
        `There is no part ${name}. The parts: ${parts.map((part) => part.name).join(', ')}.`,
      );
  return names;
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a positive number.');
  return number;
}
