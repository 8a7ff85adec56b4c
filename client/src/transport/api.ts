import {
  type Answer,
  Call,
  type QueryValue,
  type RequestBody,
  type Route,
  routeFrom,
  urlOf,
} from './attempt.ts';
import {
  type CallOptions,
  type ChangeOptions,
  type EraseOptions,
  type Hooks,
  notify,
  type ReadOptions,
  type Settings,
  type WriteOptions,
} from './client-options.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

/** The operations of a document, as generated. */
export type OperationTable<Operations> = Readonly<Record<keyof Operations, string>>;

/** The types of one operation, as generated. */
export interface OperationTypes {
  readonly path: readonly (string | number)[];
  readonly query: object | undefined;
  readonly body: unknown;
  readonly response: unknown;
}

export interface CallInput<Operation extends OperationTypes> {
  readonly query?: Operation['query'] | undefined;
  readonly body?: Operation['body'] | undefined;
  /** Sent instead of `body`: creates the body of each attempt. */
  readonly stream?: { readonly contentType: string; readonly body: () => RequestBody };
  /** For a POST without an Idempotency-Key that has the same effect once and twice. */
  readonly isRepeatable?: boolean;
}

export type AnyCallOptions = CallOptions & ReadOptions & WriteOptions & ChangeOptions & EraseOptions;

/** Calls operations by their ids. The methods of the resources are lines of it. */
export class Api<Operations extends { readonly [Id in keyof Operations]: OperationTypes }> {
  readonly #table: OperationTable<Operations>;
  readonly #settings: Settings;
  readonly #transport: Transport;

  constructor(table: OperationTable<Operations>, settings: Settings, transport: Transport) {
    this.#table = table;
    this.#settings = settings;
    this.#transport = transport;
  }

  get hooks(): Hooks {
    return this.#settings.hooks;
  }

  /** Starts a call. It rejects with a BrandportError. @throws TypeError for arguments that cannot be sent */
  call<Id extends keyof Operations & string>(
    id: Id,
    path: Operations[Id]['path'],
    input: CallInput<Operations[Id]> = {},
    options: AnyCallOptions = {},
  ): Call<Operations[Id]['response']> {
    const request = this.#request(id, path, input, options);
    return new Call(
      this.#transport
        .send(request)
        .then((answer) => this.#answer<Operations[Id]['response']>(request, answer)),
    );
  }

  #request(
    operation: string,
    path: readonly (string | number)[],
    input: CallInput<OperationTypes>,
    options: AnyCallOptions,
  ): TransportRequest {
    const route = routeFrom((this.#table as Readonly<Record<string, string>>)[operation] ?? '');
    const { query, body, stream, isRepeatable } = input;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const idempotencyKey = route.takesKey ? checkedKey(options.idempotencyKey ?? crypto.randomUUID()) : null;
    const contentType = stream?.contentType ?? (text === undefined ? undefined : 'application/json');
    const { maxRetries, timeoutMs, deadlineMs, baseUrl } = this.#settings;
    const preferences = [
      ...((options.strict ?? this.#settings.strict) ? ['handling=strict'] : []),
      ...(options.receipt === true ? ['return=representation'] : []),
    ];
    return {
      operation,
      method: route.method,
      url: urlOf(baseUrl, route.path, path, query as Record<string, QueryValue> | undefined),
      headers: {
        accept: route.isText ? '*/*' : 'application/json',
        'user-agent': this.#settings.userAgent,
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
        ...(options.ifNoneMatch !== undefined && { 'if-none-match': options.ifNoneMatch }),
        ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
        ...(preferences.length > 0 && { prefer: preferences.join(', ') }),
      },
      ...(stream !== undefined && { body: stream.body }),
      ...(stream === undefined && text !== undefined && { body: () => text }),
      idempotencyKey,
      isRepeatable: isRepeatable ?? (route.method !== 'POST' || idempotencyKey !== null),
      isText: route.isText,
      queue: queueOf(route),
      maxRetries: options.maxRetries ?? maxRetries,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      deadlineMs: options.deadlineMs ?? deadlineMs,
      signal: options.signal,
    };
  }

  #answer<Data>(request: TransportRequest, { response, attempts }: TransportAnswer): Answer<Data> {
    const { operation, idempotencyKey } = request;
    const { status, headers, requestId } = response;
    const names = headers.get('x-ignored');
    if (names !== null)
      notify(this.hooks.onWarning, { kind: 'ignored_names', operation, names: names.split(', ') });
    const info = { status, headers, requestId, attempts, idempotencyKey };
    if (request.isText) return { data: response.text as Data, response: info };
    const isEmpty = response.text === '' || status === 404;
    return { data: (isEmpty ? undefined : response.json()) as Data, response: info };
  }
}

/** The service counts reads and writes, and its two domains, separately. */
function queueOf({ method, path }: Route): string {
  const domain = path.split('/')[3] ?? '';
  return `${path.startsWith('/v1/client/') ? domain : 'internal'} ${method === 'GET' ? 'read' : 'write'}`;
}

function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]{1,191}$/.test(key))
    throw new TypeError('An idempotency key is 1 to 191 visible ASCII characters.');
  return key;
}
