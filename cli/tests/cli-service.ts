import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { after } from 'node:test';
import { type SdkBrand, type SdkService, startSdkService } from '../../client/tests/sdk-service.ts';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { runCli } from '../src/run-cli.ts';

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** Everything on standard input, which is not a terminal. */
  readonly input?: string;
  /** The text that is typed at a question, on a terminal. */
  readonly typed?: string;
  readonly signal?: AbortSignal;
  /** The longest outage that a long command waits for; default: none. */
  readonly patienceMs?: number;
}

export interface CliOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliService extends SdkService {
  newCliBrand(): Promise<CliBrand>;
}

export interface CliBrand extends SdkBrand {
  /** The variables of the environment for the brand's key and the admin token. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command line with the brand's key and the admin token. */
  cli(args: readonly string[], options?: CliOptions): Promise<CliOutcome>;
  /** Runs a command with `--json`, which has to exit with 0, and parses what it wrote. */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
}

/** Starts the real apps, for command lines that run in the process of the test. */
export async function startCliService(
  options: Parameters<typeof startSdkService>[0] = {},
): Promise<CliService> {
  const service = await startSdkService(options);
  return {
    ...service,
    newCliBrand: async () => {
      const brand = await service.newBrand();
      const env = {
        BRANDPORT_URL: service.clientUrl,
        BRANDPORT_API_KEY: brand.apiKey,
        BRANDPORT_INTERNAL_URL: service.internalUrl,
        BRANDPORT_ADMIN_TOKEN: testAdminToken,
      };
      const withKey: CliBrand['cli'] = (args, more = {}) =>
        cli(args, { ...more, env: { ...env, ...more.env } });
      const json = async (...args: string[]) => {
        const { code, stdout, stderr } = await withKey([...args, '--json']);
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
      };
      return { ...brand, env, cli: withKey, json };
    },
  };
}

/** Runs a command line in this process, with a new home directory unless one is given. No stream is a terminal. */
export async function cli(args: readonly string[], options: CliOptions = {}): Promise<CliOutcome> {
  const [stdout, stderr] = [collect(), collect()];
  const { input = options.typed } = options;
  const isTTY = options.typed !== undefined;
  const code = await runCli({
    version: '0.0.0',
    args,
    env: options.env ?? {},
    home: options.home ?? newHome(),
    stdin: Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), { isTTY }),
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY }),
    patienceMs: options.patienceMs ?? 0,
    listenForInterrupts: () => options.signal ?? new AbortController().signal,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Creates an empty home directory, which the end of the test file removes. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'brandport-home-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function collect() {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk.toString('utf8'));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}
