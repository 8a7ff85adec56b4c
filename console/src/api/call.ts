import { type InternalOperations, internalOperations } from '../../../client/src/generated/internal-wire.ts';
import { type ClientOperations, clientOperations } from '../../../client/src/generated/wire.ts';
import { ApiProblem } from './api-problem.ts';
import { send } from './send.ts';

/** The reads of the client API that the console sends as a brand [D164]. */
const ids = [
  'listProducts',
  'getProduct',
  'getProductStock',
  'listStockLocations',
  'listStockLevels',
] as const;

type BrandReadId = (typeof ids)[number];

/** The same operations with the brand as their first path parameter. */
export type BrandReads = {
  readonly [Id in BrandReadId]: {
    readonly path: readonly [brandId: string | number, ...ClientOperations[Id]['path']];
    readonly query: ClientOperations[Id]['query'];
    readonly body: undefined;
    readonly response: ClientOperations[Id]['response'];
  };
};

/** Method and path of each read. The responses are those of the client API. */
const brandReads = Object.fromEntries(
  ids.map((id) => [id, clientOperations[id].replace('/v1/client/', '/internal/v1/brands/{id}/')]),
) as Readonly<Record<BrandReadId, string>>;

type Operations = InternalOperations & BrandReads;
export type OperationId = keyof Operations;
export type ResponseOf<Id extends OperationId> = Operations[Id]['response'];

/** Method and path of every operation that the console may call. */
const operations: Readonly<Record<OperationId, string>> = { ...internalOperations, ...brandReads };

type PartOf<Name extends string, Value> = undefined extends Value
  ? { readonly [N in Name]?: Value }
  : { readonly [N in Name]: Value };

type PathOf<Path> = Path extends readonly [] ? { readonly path?: readonly [] } : { readonly path: Path };

/** The path parameters, query and body of an operation; parts that it does not have are left out. */
export type InputOf<Id extends OperationId> = PathOf<Operations[Id]['path']> & {
  readonly query?: Operations[Id]['query'];
  /** The entity tag of the state that a change begins with. */
  readonly ifMatch?: string | undefined;
  /** `return=representation`: the answer says what was done. */
  readonly prefer?: string;
} & PartOf<'body', Operations[Id]['body']>;

interface AnyInput {
  readonly path?: readonly (string | number)[];
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly prefer?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** true: nobody has asked for it, and it does not keep the session alive. */
  readonly isPoll?: boolean;
  /** Sent with an operation that takes one. */
  readonly idempotencyKey?: string;
}

/** The entity tags of what was read, by the objects that the reads returned. */
const tags = new WeakMap<object, string>();

/** Returns the entity tag with which data was read; undefined if it has none. */
export function tagOf(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null ? tags.get(data) : undefined;
}

/** Returns the address of an operation, to link to or to send. Parameters that are undefined or empty are left out. */
export function addressOf(id: OperationId, { path = [], query }: Omit<AnyInput, 'body'> = {}): string {
  const [, template = ''] = operations[id].split(' ');
  const rest = [...path];
  const filled = template.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift() ?? '')));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** @throws ApiProblem */
export async function call<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { signal, isPoll = false, idempotencyKey }: CallOptions = {},
): Promise<ResponseOf<Id>> {
  const { path, query, body, ifMatch, prefer } = input as AnyInput;
  const [method = 'GET', , takesKey] = operations[id].split(' ');
  const key = takesKey === undefined ? undefined : idempotencyKey;
  const headers = {
    ...(isPoll && { 'X-Brandport-Console': 'poll' }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(prefer !== undefined && { Prefer: prefer }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
  try {
    const response = await send(addressOf(id, { path: path ?? [], query }), {
      method,
      headers,
      signal: signal ?? null,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return undefined as ResponseOf<Id>;
    const data = (await response.json()) as ResponseOf<Id>;
    const tag = response.headers.get('etag');
    if (tag !== null) tags.set(data as object, tag);
    return data;
  } catch (error) {
    throw key === undefined ? error : problemOfKeyed(error);
  }
}

/** Says what a failure means for a form whose Idempotency-Key is sent again. */
function problemOfKeyed(error: unknown): unknown {
  if (!(error instanceof ApiProblem) || error.status === 0) return new ApiProblem(messages.noAnswer);
  if (error.code !== 'idempotency_key_reuse') return error;
  return new ApiProblem(messages.sentBefore, error);
}

/** The words about requests without a clear outcome. */
const messages = {
  noAnswer:
    'The server cannot be reached, and may have done it. Press the button again: nothing is made twice.',
  sentBefore:
    'What this form sent before has been created, with its earlier values. Look for it; if you press the button again, another one is created.',
} as const;
