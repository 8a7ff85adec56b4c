import { join } from 'node:path';
import { parseBrandId } from '../arguments/parse-arguments.ts';
import { UsageError } from '../errors/cli-error.ts';
import { createOutput, type OutputFormat } from '../output/output.ts';
import { createProgress, type Progress, silentProgress } from '../output/progress.ts';
import { type Connection, connectionFor, describeConnection } from '../profiles/connection.ts';
import { ProfileFile } from '../profiles/profile-file.ts';
import { announcedHooks } from './announced-hooks.ts';
import type { CliContext, GlobalOptions } from './cli-context.ts';
import { askYesNo } from './prompts.ts';

/** The parts of the process that the program uses. `main.ts` provides them. */
export interface CliProcess {
  readonly version: string;
  /** Without the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** Handles Ctrl-C from now on. Called once a command runs. */
  listenForInterrupts(): AbortSignal;
}

/** Creates the context of a command. `end` restores the terminal. */
export function createContext(cli: CliProcess, options: GlobalOptions): CliContext & { end(): void } {
  const { env, stdin, stdout, stderr } = cli;
  const signal = cli.listenForInterrupts();
  const profiles = new ProfileFile(env, cli.home);
  const tell = (text: string) => void stderr.write(`${text}\n`);
  const connections = new Map<string, Connection>();
  const running = new Set<Progress>();
  let resumeSentence = 'Run the command again.';

  const connection = (kind: 'client' | 'admin'): Connection => {
    const known = connections.get(kind) ?? connectionFor(kind, { profile: options.profile, env, profiles });
    connections.set(kind, known);
    return known;
  };
  /** The brand that the command writes to, once it is known. */
  let target: number | null = null;
  const announce = (kind: 'client' | 'admin') =>
    tell(`Writing as ${describeConnection({ ...connection(kind), brandId: target })}`);
  const clientOptions = (kind: 'client' | 'admin', onWrite: () => void) => {
    const { url, shadows } = connection(kind);
    if (shadows !== null) tell(shadows);
    return {
      baseUrl: url,
      userAgent: `brandport-cli/${cli.version}`,
      hooks: announcedHooks(onWrite, tell),
    };
  };
  const checkBrand: CliContext['checkBrand'] = (actual, option) => {
    const wanted = parseBrandId(option);
    if (wanted !== undefined && wanted !== actual)
      throw new UsageError(
        `--brand names the brand ${wanted}, but this is ${actual === null ? 'of no brand' : `the brand ${actual}`}. Nothing was written.`,
      );
    target = actual;
  };
  let client: ReturnType<CliContext['brandport']> | null = null;
  let admin: ReturnType<CliContext['admin']> | null = null;
  const brandport = () => {
    client ??= import('@brandport/client').then(
      ({ Brandport }) =>
        new Brandport({ ...clientOptions('client', () => {}), apiKey: connection('client').secret }),
    );
    return client;
  };

  return {
    options,
    env,
    output: createOutput(stdout, formatOf(options), isColorWanted(env)),
    signal,
    profiles,
    stateFolder: stateFolder(cli),
    stdin,
    get resumeSentence() {
      return resumeSentence;
    },
    brandport,
    writer: async (brand) => {
      const writing = await brandport();
      const { brandId } = connection('client');
      checkBrand(brandId ?? (await writing.catalog.status({ signal })).brand_id, brand);
      announce('client');
      return writing;
    },
    admin: ({ isReadOnly = false } = {}) => {
      admin ??= import('@brandport/client/admin').then(({ BrandportAdmin }) => {
        const onWrite = () => isReadOnly || announce('admin');
        const adminToken = connection('admin').secret;
        return new BrandportAdmin({ ...clientOptions('admin', () => void onWrite()), adminToken });
      });
      return admin;
    },
    connection,
    brandId: (option) => {
      target = parseBrandId(option) ?? connection('admin').brandId ?? missingBrand();
      return target;
    },
    checkBrand,
    tell,
    prompt: (text) => void stderr.write(text),
    resumeWith: (sentence) => {
      resumeSentence = sentence;
    },
    confirm: async (question) => {
      if (options.yes !== true) await askYesNo(question, { stdin, stderr, signal });
    },
    progress: (label) => {
      if (stderr.isTTY !== true || options.quiet === true) return silentProgress;
      const bar = createProgress(stderr, label);
      running.add(bar);
      return bar;
    },
    end: () => {
      for (const bar of running) bar.stop();
      stdin.pause();
    },
  };
}

function stateFolder({ env, home }: CliProcess): string {
  const state = env['XDG_STATE_HOME'];
  // A relative path is invalid by the XDG specification and ignored.
  return join(state?.startsWith('/') === true ? state : join(home, '.local/state'), 'brandport');
}

function formatOf({ json, quiet }: GlobalOptions): OutputFormat {
  return json === true ? 'json' : quiet === true ? 'quiet' : 'table';
}

function isColorWanted({ NO_COLOR }: CliProcess['env']): boolean {
  return NO_COLOR === undefined || NO_COLOR === '';
}

function missingBrand(): never {
  throw new UsageError(
    'Name the brand: --brand <id>, or log in with one: brandport login --admin --brand <id>.',
  );
}
