import { type InternalOperations, internalOperations } from '../../../client/src/generated/internal-wire.ts';
import { type BrandReads, brandReads } from './brand-reads.ts';
import { send } from './send.ts';

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
} & PartOf<'body', Operations[Id]['body']>;

interface AnyInput {
  readonly path?: readonly (string | number)[];
  readonly query?: object | undefined;
  readonly body?: unknown;
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

/**
 * Calls an operation of the internal surface. A poll, which nobody has asked for, does not keep the session alive.
 * @throws ApiProblem
 */
export async function call<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  signal?: AbortSignal,
  isPoll = false,
): Promise<ResponseOf<Id>> {
  const { path, query, body } = input as AnyInput;
  const response = await send(addressOf(id, { path: path ?? [], query }), {
    method: operations[id].split(' ')[0] ?? 'GET',
    signal: signal ?? null,
    ...(isPoll && { headers: { 'X-Brandport-Console': 'poll' } }),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<Id>;
}
