import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ApiClient } from '../../../server/test/support/api-client.ts';
import { registerCanary } from '../../../server/test/support/canaries.ts';
import { createHttpClient } from '../../../server/test/support/http-client.ts';
import { type CommandOutcome, startCommand } from '../../../server/test/support/run-command.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';

export interface SandboxProcess {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly brandId: number;
  readonly apiKey: string;
  readonly adminToken: string;
  /** The folder of its temporary directories. */
  readonly tmp: string;
  readonly readyMs: number;
  readonly client: ApiClient;
  readonly admin: ApiClient;
  end(signal: NodeJS.Signals): Promise<CommandOutcome>;
}

/** Starts `brandport sandbox --json` as a user does; it ends with the test file at the latest. */
export function startSandboxProcess(...options: string[]): Promise<SandboxProcess> {
  return startSandboxProcessWith({}, ...options);
}

/** The same, with variables of the environment. */
export async function startSandboxProcessWith(
  env: Record<string, string>,
  ...options: string[]
): Promise<SandboxProcess> {
  const tmp = await realpath(await mkdtemp(join(tmpdir(), 'bp-')));
  const startedAt = performance.now();
  const { child, outcome } = startCommand({ ...env, TMPDIR: tmp }, 'sandbox', '--json', ...options);
  let written = '';
  let ended: CommandOutcome | null = null;
  child.stdout?.on('data', (text: string) => {
    written += text;
  });
  void outcome.then((how) => {
    ended = how;
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await outcome;
  };
  after(() => end('SIGTERM'));
  await waitFor('the sandbox', () => written.includes('\n') || ended !== null, 60_000);
  if (ended !== null) throw new Error((ended as CommandOutcome).stderr);
  const ready = JSON.parse(written);
  for (const secret of [ready.api_key, ready.admin_token]) registerCanary(secret);
  return {
    clientUrl: ready.client,
    internalUrl: ready.internal,
    brandId: ready.brand_id,
    tmp,
    end,
    apiKey: ready.api_key,
    adminToken: ready.admin_token,
    readyMs: performance.now() - startedAt,
    client: createHttpClient(`${ready.client}/v1/client`, ready.api_key),
    admin: createHttpClient(`${ready.internal}/internal/v1`, ready.admin_token),
  };
}
