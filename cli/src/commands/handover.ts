import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyDetail,
  type BrandportAdmin,
  decideHandover,
  type HandoverStep,
  handoverSilenceHours,
  type IssuedApiKey,
  type KeyUsage,
  type Scope,
  scopes,
} from '@brandport/client/admin';
import { addBrandCheck, type BrandOption, parseInteger } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, exitCodes, UsageError } from '../errors.ts';
import type { ItemLayout } from '../output/output.ts';
import type { Define } from './command.ts';

interface HandoverOptions extends BrandOption {
  readonly silence: string;
  readonly watch?: boolean;
}

/** Milliseconds between two looks with `--watch`. */
const watchIntervalMs = 60_000;

export const defineHandover: Define = (command, run) => {
  addBrandCheck(command, 'the key')
    .argument('<key_id>', 'the key to replace')
    .description('rotate a key without downtime: both keys work until the old one is idle')
    .option(
      '--silence <hours>',
      'how long the old key must have been unused before it is revoked',
      String(handoverSilenceHours),
    )
    .option('--watch', 'look again every minute until the old key can be revoked')
    .addHelpText(
      'after',
      '\nThe first run issues the new key. Each further run shows the use of both, and revokes the old one when it has been\n' +
        'unused for long enough. Exits with 5 while the old key is needed: run it again.',
    )
    .action((keyId: string, options: HandoverOptions) => run((context) => handOver(context, keyId, options)));
};

async function handOver(context: CliContext, keyId: string, options: HandoverOptions): Promise<number> {
  const silenceHours = parseInteger(options.silence, '--silence', { most: 10_000 });
  checkedKeyId(keyId);
  const { signal } = context;
  const { keys } = await context.admin({ isPatient: options.watch === true });
  context.resumeWith('Both keys work. Run the same command again: it continues.');
  const old = await keys.get(keyId, { signal });
  context.checkBrand(old.brand_id, options.brand);
  if (old.revoked_at !== null) throw new CliError(`The key ${keyId} was revoked at ${old.revoked_at}.`);
  const successor = await findSuccessor(keys, old, signal);
  if (successor === null) {
    await issueSuccessor(context, keys, old);
    return exitCodes.partial;
  }
  for (;;) {
    const handover = await look(keys, { oldId: keyId, newId: successor.key_id, silenceHours }, signal);
    if (handover.next === 'revoke') return finish(context, keys, handover);
    if (options.watch !== true) {
      writeHandover(context, handover);
      return exitCodes.partial;
    }
    context.tell(handover.advice);
    await sleep(watchIntervalMs, undefined, { signal });
  }
}

async function look(
  keys: BrandportAdmin['keys'],
  ids: { readonly oldId: string; readonly newId: string; readonly silenceHours: number },
  signal: AbortSignal,
): Promise<Handover> {
  const [{ data: old, response }, successor] = await Promise.all([
    keys.get(ids.oldId, { signal }).withResponse(),
    keys.get(ids.newId, { signal }),
  ]);
  // The clock of the server, in whole seconds: the times of use are from there.
  const now = (Date.parse(response.headers.get('date') ?? '') || Date.now()) + 1_000;
  // Usage is counted by hour: the hour that the silence began in is included.
  const from = new Date(now - Math.max(ids.silenceHours, 1) * 3_600_000).toISOString();
  const usageOf = (key: ApiKeyDetail) => keys.usage(key.key_id, { from, step: 'hour' }, { signal }).toArray();
  const [oldUsage, newUsage] = await Promise.all([usageOf(old), usageOf(successor)]);
  return handoverOf(
    { key: old, usage: oldUsage },
    { key: successor, usage: newUsage },
    ids.silenceHours,
    now,
  );
}

/** Revokes the old key, after a question. Without a terminal and `--yes`, says that it can be revoked. */
async function finish(
  context: CliContext,
  keys: BrandportAdmin['keys'],
  handover: Handover,
): Promise<number> {
  if (context.options.yes !== true && context.stdin.isTTY !== true) {
    writeHandover(context, handover);
    context.tell('Run the same command with --yes to revoke it.');
    return exitCodes.partial;
  }
  context.tell(handover.advice);
  const { key_id, name, brand_id } = handover.old;
  await context.confirm(`Revoke the key ${key_id} (${name}, brand ${brand_id})?`);
  const revoked = await keys.revoke(key_id, { signal: context.signal });
  writeHandover(context, {
    ...handover,
    old: { ...handover.old, revoked_at: revoked.revoked_at },
    next: 'done',
    advice: `The key ${key_id} was revoked.`,
  });
  return exitCodes.done;
}

type Keys = BrandportAdmin['keys'];

/** Returns the newest active key that was issued to replace the given one. */
async function findSuccessor(
  keys: Keys,
  old: ApiKeyDetail,
  signal: AbortSignal,
): Promise<ApiKeyDetail | null> {
  let newest: ApiKeyDetail | null = null;
  for await (const key of keys.list(old.brand_id, { state: 'active', per_page: 200 }, { signal }))
    if (key.replaces_key_id === old.key_id && (newest === null || newest.created_at < key.created_at))
      newest = key;
  return newest;
}

/** Issues a key of the same lineage with the same scopes, and prints it. */
async function issueSuccessor(context: CliContext, keys: Keys, old: ApiKeyDetail): Promise<void> {
  context.output.requireReader();
  const { key_id, name, brand_id, scopes, expires_at } = old;
  await context.confirm(`Issue a second key for '${name}' (${key_id}, brand ${brand_id})? Both work then.`);
  const body = {
    name,
    scopes: scopes as ApiKeyCreate['scopes'],
    replaces_key_id: key_id,
    // An expired key is replaced by one that works.
    ...(stateOf(old, Date.now()) === 'active' && { expires_at }),
  };
  await writeIssuedKey(context, await keys.create(brand_id, body, { signal: context.signal }));
  context.tell(
    `Both keys work. Give the new one to '${name}', then run the same command again: it shows when ${key_id} is no longer used.`,
  );
}

interface UsedKey {
  readonly key: ApiKeyDetail;
  /** The requests since the silence would have begun. */
  readonly usage: readonly KeyUsage[];
}

/** One key of a handover, as it is printed. */
interface KeyUse {
  readonly key_id: string;
  readonly name: string;
  readonly brand_id: number;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_from: string | null;
  readonly recent_requests: number;
  /** The operations with the most recent requests, most first. */
  readonly recent_operations: readonly string[];
}

interface Handover {
  readonly old: KeyUse;
  readonly new: KeyUse;
  readonly next: HandoverStep;
  readonly advice: string;
}

/**
 * Describes the next step of a handover to a key that exists.
 * @param now milliseconds
 */
function handoverOf(old: UsedKey, successor: UsedKey, silenceHours: number, now: number): Handover {
  const uses = { old: useOf(old), new: useOf(successor) };
  const { key } = old;
  const { next, unusedFrom } = decideHandover(key, successor.key, now, silenceHours);
  if (next === 'install')
    return { ...uses, next, advice: `The new key ${successor.key.key_id} has not been used yet.` };
  if (next === 'wait') {
    const at = new Date(unusedFrom ?? now).toISOString();
    const advice =
      `The key ${key.key_id} was last used at ${key.last_used_at} from ${key.last_used_from ?? 'an unknown address'}. ` +
      `If it stays unused, it can be revoked from ${at} on.`;
    return { ...uses, next, advice };
  }
  const silence =
    key.last_used_at === null ? 'has never been used' : `has been unused since ${key.last_used_at}`;
  return { ...uses, next, advice: `The key ${key.key_id} ${silence}, and the new one is in use.` };
}

function useOf({ key, usage }: UsedKey): KeyUse {
  const requests = new Map<string, number>();
  for (const { operation, requests: count } of usage)
    requests.set(operation, (requests.get(operation) ?? 0) + count);
  const { key_id, name, brand_id, revoked_at, last_used_at, last_used_from } = key;
  const byCount = [...requests].sort(([, a], [, b]) => b - a);
  return {
    key_id,
    name,
    brand_id,
    revoked_at,
    last_used_at,
    last_used_from,
    recent_requests: byCount.reduce((sum, [, count]) => sum + count, 0),
    recent_operations: byCount.slice(0, 5).map(([operation]) => operation),
  };
}

/** Writes both keys and the next step. `--quiet` prints the step. */
function writeHandover({ output, tell }: CliContext, handover: Handover): void {
  const lines = (label: string, use: KeyUse): [string, unknown][] => [
    [label, use.key_id],
    ['  last used', use.last_used_at ?? 'never'],
    ['  from', use.last_used_from],
    ['  recent requests', use.recent_requests],
    ['  operations', use.recent_operations],
  ];
  output.item(handover, {
    id: ({ next }) => next,
    fields: (state) => [...lines('old key', state.old), ...lines('new key', state.new), ['next', state.next]],
  });
  tell(handover.advice);
}

/** Reads comma-separated scopes, or `all`. @throws UsageError that lists all scopes */
export function parseScopes(text: string): readonly Scope[] {
  if (text === 'all') return scopes;
  return text.split(',').map((part) => {
    const scope = scopes.find((known) => known === part.trim());
    if (scope === undefined)
      throw new UsageError(`There is no scope '${part.trim()}'. Scopes: all, ${scopes.join(', ')}.`);
    return scope;
  });
}

/** Returns the word `all` for all scopes. */
export function shownScopes(of: readonly string[]): readonly string[] | 'all' {
  return scopes.every((scope) => of.includes(scope)) ? 'all' : of;
}

/** Checks the id of a key before it is part of a path. @throws UsageError */
export function checkedKeyId(text: string): string {
  if (!/^tuk_[0-9a-f]{24}$/.test(text))
    throw new UsageError(`'${text}' is not the id of a key, such as tuk_0123456789abcdef01234567.`);
  return text;
}

/** Returns a key that a command is about to change. @throws UsageError for one of another brand than `--brand` */
export async function keyToChange(context: CliContext, id: string, brand?: string): Promise<ApiKey> {
  const { keys } = await context.admin();
  const key = await keys.get(checkedKeyId(id), { signal: context.signal });
  context.checkBrand(key.brand_id, brand);
  return key;
}

/** Returns the state of a key at a time in milliseconds. */
export function stateOf({ revoked_at, expires_at }: ApiKey, now: number): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}

export const keyLayout: ItemLayout<ApiKey> = {
  id: ({ key_id }) => key_id,
  fields: (key) => [
    ['key', key.key_id],
    ['brand', key.brand_id],
    ['name', key.name],
    ['state', stateOf(key, Date.now())],
    ['scopes', shownScopes(key.scopes)],
    ['expires', key.expires_at],
    ['last used', key.last_used_at],
    ['last refused', key.last_refused_at],
    ['refused with', key.last_refused_code],
  ],
};

/**
 * Writes a key with its plaintext, which the service shows only once. With `--quiet`, the plaintext alone.
 * @throws CliError if the response with the plaintext was lost, and a retry found only the key, or if it cannot be written
 */
export async function writeIssuedKey({ output, tell }: CliContext, key: IssuedApiKey): Promise<void> {
  const { api_key: plaintext, key_id } = key;
  if (plaintext === null)
    throw new CliError(
      `The key ${key_id} was created, but the connection broke before its secret arrived. Get another secret with \`brandport keys rotate ${key_id}\`.`,
    );
  output.item(key, {
    id: () => plaintext,
    fields: (issued) => [...(keyLayout.fields?.(issued) ?? []), ['API key', plaintext]],
  });
  await output.flushSecret(
    `The key ${key_id} was issued, and nobody has its secret: revoke it with \`brandport keys revoke ${key_id}\`, or get another secret with \`brandport keys rotate ${key_id}\`.`,
  );
  tell(`The key is shown only this once. Keep it where the system '${key.name}' reads it.`);
}
