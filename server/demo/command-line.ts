import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultDataDir } from './data-files.ts';
import { dataSets } from './data-sets/index.ts';
import { DemoError } from './demo-error.ts';

export interface CommandLine {
  /** null: none was named. */
  readonly dataDir: string | null;
  /** Print where the data sets are published, and exit. */
  readonly sources: boolean;
  /** null: all that are found. */
  readonly only: readonly string[] | null;
  readonly part: number | null;
  /** The addresses of a running server; null = start one. */
  readonly running: { readonly clientUrl: string; readonly internalUrl: string } | null;
  readonly fast: boolean;
}

interface Options {
  readonly data?: string;
  readonly sources?: true;
  readonly only?: readonly string[];
  readonly part?: number;
  readonly client?: string;
  readonly internal?: string;
  readonly fast?: true;
}

/**
 * Reads the arguments. `--help` exits the process; so do invalid arguments, with exit code 2.
 * @throws DemoError if options cannot be combined
 */
export function parseCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): CommandLine {
  const names = dataSets.map(({ name }) => name);
  const options = new Command('npm run demo:real --')
    .description(
      'Sends published data sets to Brandport over HTTP, reads everything back and compares. Ends with exit code 1 on any difference.',
    )
    .option(
      '--data <dir>',
      `folder of the data sets (or BRANDPORT_REAL_DATA); default: ${defaultDataDir} if it exists, else the excerpts of the project`,
      env['BRANDPORT_REAL_DATA'] || undefined,
    )
    .option('--sources', 'say where the data sets are published, under which licence and how large they are')
    .addOption(new Option('--only <names...>', 'these data sets').choices(names))
    .option('--part <n>', 'at most this many records of each data set', positiveInteger)
    .option('--fast', 'start the server without rate limits')
    .option('--client <url>', 'use the server with this client listener, with its limits')
    .option('--internal <url>', 'its internal listener; the admin token is BRANDPORT_ADMIN_TOKEN')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(args, { from: 'user' })
    .opts<Options>();

  const {
    data: dataDir = null,
    sources = false,
    only = null,
    part = null,
    fast = false,
    client,
    internal,
  } = options;
  if ((client === undefined) !== (internal === undefined))
    throw new DemoError('--client and --internal go together.', 2);
  if (client === undefined || internal === undefined)
    return { dataDir, sources, only, part, fast, running: null };
  if (fast) throw new DemoError('--fast is for the server that this command starts itself.', 2);
  return {
    dataDir,
    sources,
    only,
    part,
    fast,
    running: { clientUrl: origin(client), internalUrl: origin(internal) },
  };
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be an integer above 0.');
  return Number(text);
}

/** A base address to which paths are appended. */
function origin(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new DemoError(`${text} is not an address such as http://127.0.0.1:8080.`, 2);
  return text.replace(/\/+$/, '');
}
