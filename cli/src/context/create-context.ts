import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Hooks } from '@brandport/client';
import { parseBrandId } from '../arguments.ts';
import { CliError, Interrupted, UsageError } from '../errors.ts';
import { createOutput, type OutputFormat } from '../output/output.ts';
import { createProgress, type Progress, silentProgress } from '../output/progress.ts';
import { type Connection, connectionFor, describeConnection, ProfileFile } from '../profiles.ts';
import type { CliContext, GlobalOptions } from './cli-context.ts';

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
  /** The longest outage that a long command waits for, in milliseconds. */
  readonly patienceMs: number;
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
  let resume: string | (() => string) = 'Run the command again.';

  const connection = (kind: 'client' | 'admin'): Connection => {
    const known = connections.get(kind);
    if (known !== undefined) return known;
    const found = connectionFor(kind, { profile: options.profile, env, profiles });
    connections.set(kind, found);
    if (found.shadows !== null) tell(found.shadows);
    return found;
  };
  /** The brand that the command writes to, once it is known. */
  let target: number | null = null;
  const announce = (kind: 'client' | 'admin') =>
    tell(`Writing as ${describeConnection({ ...connection(kind), brandId: target })}`);
  const clientOptions = (url: string, onWrite: () => void) => ({
    baseUrl: url,
    userAgent: `brandport-cli/${cli.version}`,
    hooks: announcedHooks(onWrite, tell),
  });
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
  const outages = new Outages(tell, cli.patienceMs);
  const patience = (hooks: Hooks, isPatient: boolean) =>
    isPatient ? { retryForMs: cli.patienceMs, hooks: outages.hooks(hooks) } : { hooks };
  const brandport: CliContext['brandport'] = ({ isPatient = false, target: other } = {}) => {
    client ??= import('@brandport/client').then(({ Brandport }) => {
      const { url, secret: apiKey } = other ?? connection('client');
      const { hooks, ...common } = clientOptions(url, () => {});
      return new Brandport({ ...common, apiKey, ...patience(hooks, isPatient) });
    });
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
      return typeof resume === 'string' ? resume : resume();
    },
    get isUnderWay() {
      return outages.hasAnswered;
    },
    brandport,
    writer: async (brand, patience) => {
      const writing = await brandport(patience);
      const { brandId } = connection('client');
      checkBrand(brandId ?? (await writing.catalog.status({ signal })).brand_id, brand);
      announce('client');
      return writing;
    },
    admin: ({ isReadOnly = false, isPatient = false } = {}) => {
      admin ??= import('@brandport/client/admin').then(({ BrandportAdmin }) => {
        const onWrite = () => isReadOnly || announce('admin');
        const { url, secret: adminToken } = connection('admin');
        const { hooks, ...common } = clientOptions(url, () => void onWrite());
        return new BrandportAdmin({ ...common, adminToken, ...patience(hooks, isPatient) });
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
      resume = sentence;
    },
    confirm: async (question) => {
      if (options.yes !== true) await askYesNo(question, { stdin, stderr, signal });
    },
    progress: (label, isStreaming = false) => {
      if (options.quiet === true || (isStreaming && stderr.isTTY === true)) return silentProgress;
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

/** Returns hooks that call `announce` before the first write of a client, and report names that the service ignored. */
function announcedHooks(announce: () => void, tell: (text: string) => void): Hooks {
  let isAnnounced = false;
  return {
    onRequest: ({ method }) => {
      if (isAnnounced || method === 'GET') return;
      isAnnounced = true;
      announce();
    },
    onRetry: ({ error, waitMs }) => {
      if (waitMs >= 2_000) tell(`${error.message} Retrying in ${Math.round(waitMs / 1_000)} s.`);
    },
    onWarning: (warning) => {
      if (warning.kind === 'ignored_names')
        tell(`warning: the service ignored ${warning.names.map((name) => `'${name}'`).join(', ')}.`);
      else
        tell(
          `warning: the batch ${warning.batchId} was sent before with other lines; these lines are not applied.`,
        );
    },
  };
}

/** Reports an outage once, when it begins, and when it ends. */
class Outages {
  readonly #tell: (text: string) => void;
  readonly #longest: string;
  hasAnswered = false;
  #isAway = false;

  constructor(tell: (text: string) => void, patienceMs: number) {
    this.#tell = tell;
    this.#longest = `${Math.round(patienceMs / 60_000)} minutes`;
  }

  hooks(others: Hooks): Hooks {
    return {
      ...others,
      onRetry: (event) => {
        const { error, waitMs } = event;
        if (!this.hasAnswered || (error.status ?? 500) < 500) return others.onRetry?.(event);
        if (this.#isAway || waitMs < 2_000) return;
        this.#isAway = true;
        this.#tell(`${error.message} Waiting for the service, ${this.#longest} at most.`);
      },
      onResponse: ({ status }) => {
        if (status === null || status >= 500 || status === 401 || status === 403) return;
        if (this.#isAway) this.#tell('The service answers again.');
        this.hasAnswered = true;
        this.#isAway = false;
      },
    };
  }
}

interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/**
 * Asks for a confirmation.
 * @throws UsageError if nobody can answer
 * @throws CliError if the answer is not yes
 */
async function askYesNo(question: string, { stdin, stderr, signal }: Terminal): Promise<void> {
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw new UsageError(`${question} Nobody can answer here: add --yes.`);
  const lines = createInterface({ input: stdin, output: stderr });
  // Reading lines takes Ctrl-C from the terminal before the process receives a signal.
  const interrupt = new Promise<never>((_, reject) => lines.once('SIGINT', () => reject(new Interrupted())));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), interrupt]);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.');
  } finally {
    lines.close();
  }
}

interface RawInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
}

/** A secret is a line; more is a file that was piped by mistake. */
const longestSecret = 1_000;

/**
 * Reads a secret: typed without an echo on a terminal, otherwise all of standard input.
 * @param tell writes to standard error
 * @throws UsageError for an empty or implausible secret
 * @throws Interrupted on Ctrl-C at the prompt
 */
export async function readSecret(
  stdin: RawInput,
  name: string,
  tell: (text: string) => void,
): Promise<string> {
  const isTyped = stdin.isTTY === true && stdin.setRawMode !== undefined;
  const text = isTyped ? await typedSecret(stdin, name, tell) : await pipedSecret(stdin);
  const secret = text.trim();
  if (secret === '') throw new UsageError(`There is no ${name} on standard input.`);
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > longestSecret)
    throw new UsageError(`The input is not one ${name}.`);
  return secret;
}

async function pipedSecret(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > 2 * longestSecret) break;
  }
  return text;
}

function typedSecret(stdin: RawInput, name: string, tell: (text: string) => void): Promise<string> {
  // Without the echo before the prompt: who answers at once is not faster than the terminal.
  stdin.setRawMode?.(true);
  tell(`${name}: `);
  stdin.setEncoding('utf8');
  stdin.resume();
  let typed = '';
  return new Promise<string>((resolve, reject) => {
    const finish = (end: () => void) => {
      stdin.off('data', take);
      stdin.setRawMode?.(false);
      stdin.pause();
      tell('\n');
      end();
    };
    const take = (chunk: string | Buffer) => {
      for (const character of String(chunk))
        if (character === '\u0003') return finish(() => reject(new Interrupted()));
        else if (character === '\r' || character === '\n' || character === '\u0004')
          return finish(() => resolve(typed));
        else if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
        else if (typed.length <= longestSecret) typed += character;
    };
    stdin.on('data', take);
  });
}
