import type { FastifyInstance, InjectOptions } from 'fastify';
import { randomHex } from '../../src/lib/ids.ts';
import { decodedText } from './decoded-text.ts';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, without its content coding. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  readonly json: any;
}

export interface RequestOptions {
  /** Strings and bytes are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

type Shortcut = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiResponse>;

/** Sends requests to an app the way an integrator would. Paths are relative to the prefix, or absolute from `/`-`/`. */
export interface ApiClient {
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  head(path: string): Promise<ApiResponse>;
  post: Shortcut;
  patch: Shortcut;
  put: Shortcut;
  delete(path: string): Promise<ApiResponse>;
  /** POST with a fresh Idempotency-Key. */
  create(path: string, body?: unknown): Promise<ApiResponse>;
}

export type ResponseCheck = (method: string, url: string, response: ApiResponse) => void;

interface ClientOptions {
  readonly prefix: string;
  readonly token: string | null;
  readonly check?: ResponseCheck;
}

export function createApiClient(app: FastifyInstance, { prefix, token, check }: ClientOptions): ApiClient {
  const request = async (method: string, path: string, { body, headers = {} }: RequestOptions = {}) => {
    const url = prefix + path;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = decodedText(answer.rawPayload, answer.headers['content-encoding']);
    const response: ApiResponse = {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text,
      json: parsedJson(text),
    };
    check?.(method, url, response);
    return response;
  };
  return clientOf(request);
}

/** Completes a client from its `request`. */
export function clientOf(request: ApiClient['request']): ApiClient {
  const withBody =
    (method: string): Shortcut =>
    (path, body, headers) =>
      request(method, path, { body, ...(headers && { headers }) });
  return {
    request,
    get: (path, headers) => request('GET', path, headers ? { headers } : {}),
    head: (path) => request('HEAD', path),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
    delete: (path) => request('DELETE', path),
    create: (path, body) => request('POST', path, { body, headers: { 'idempotency-key': randomHex(16) } }),
  };
}

/** Returns the parsed text; undefined if it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
