import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../postgres/database.ts';
import type { CatalogTransaction, Transaction } from '../postgres/transaction.ts';
import type { JobSender } from './job-sender.ts';
import type { PageAnchors } from './page-anchors.ts';
import type { RequestBody } from './request-body.ts';
import type { Caller, Scope } from './scopes.ts';
import type { UnknownNameReport } from './unknown-names.ts';

/** What a handler may use of the running server. */
export interface ServiceContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: JobSender;
  readonly anchors: PageAnchors;
}

export interface OperationRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Present on every operation whose access is by API key. */
  readonly caller: Caller;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; absent on 204. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of what a read answers: becomes the `ETag`. Only on operations that have `currentVersion`. */
  readonly version?: ReplyVersion;
}

/** By what a poller is told that nothing has changed since. */
export interface ReplyVersion {
  /**
   * Differs between any two states of the data that could be answered differently; as `currentVersion` gives it. Read in
   * the statement that reads the body, or before it: an older version costs one needless answer, a newer one would hide a
   * change for good. Path, query, brand and scopes need not be in it.
   */
  readonly state: string;
  /**
   * The last instant, milliseconds since the Unix epoch, at which the clock alone has not changed the body; null or absent:
   * it never does.
   */
  readonly freshUntil?: number | null;
}

/** What the reference says of one successful response. */
export interface ResponseDescription {
  readonly description: string;
  readonly schema?: TSchema;
  readonly example?: unknown;
  /** Headers of its own, by name: each an OpenAPI header object. */
  readonly headers?: Readonly<Record<string, object>>;
}

/** By API key: a list of accepted scopes (any of them; an empty list = every valid key). By admin token: `admin`. */
export type OperationAccess = readonly Scope[] | 'admin';

interface OperationDescription<P extends TSchema, Q extends TSchema, B extends TSchema> {
  /** The operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the domain's prefix, parameters as `:tuId`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Markdown, written for integrators. */
  readonly description: string;
  readonly access: OperationAccess;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyExample?: unknown;
  /** Whether the body may be left out; the handler then gets an empty object. */
  readonly bodyOptional?: boolean;
  /** Fields that the contract drops by name: in silence, and under strict handling too [platform-29]. */
  readonly droppedFields?: readonly string[];
  /** The largest body in bytes, where it is not the general 1 MiB [platform-23]. */
  readonly bodyLimit?: number;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Whether the answer shows a secret in plain text: it is then never compressed [D61]. */
  readonly revealsSecret?: boolean;
  /** Codes of its own, besides those that every operation of its kind can answer. */
  readonly errors?: readonly ErrorCode[];
}

interface ReadDescription<P extends TSchema, Q extends TSchema, B extends TSchema>
  extends OperationDescription<P, Q, B> {
  handle(context: ServiceContext, request: OperationRequest<Static<P>, Static<Q>, Static<B>>): Promise<Reply>;
  /**
   * The state of what `handle` would answer now, in one short statement; null where that would be no success. Makes the
   * operation conditional: its 200 has an `ETag`, and a request with a matching `If-None-Match` costs this and no more.
   */
  currentVersion?(
    context: ServiceContext,
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
  ): Promise<string | null>;
}

interface WriteDescription<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  Locks extends true | undefined,
> extends OperationDescription<P, Q, B> {
  /** Whether the Idempotency-Key header is required, honoured where it is sent, or ignored [platform-57] [platform-58] [platform-59]. */
  readonly idempotency: 'required' | 'optional' | 'ignored';
  /**
   * Has the request wait for its brand's turn before it takes a connection. Without it `handle` gets a transaction that
   * cannot take the lock (`beginCatalogChange`, `holdCatalog`), by its type and when it runs.
   */
  readonly locksCatalog?: Locks;
  /** Whether a request only asks what it would do: it takes no lock then, and does not wait for a turn. */
  isDryRun?(request: OperationRequest<Static<P>, Static<Q>, Static<B>>): boolean;
  /**
   * Runs in the one transaction of the request, only once its Idempotency-Key is claimed, and again from the start after a
   * deadlock or a lost connection.
   */
  handle(
    tx: Locks extends true ? CatalogTransaction : Transaction,
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
    context: ServiceContext,
  ): Promise<Reply>;
}

interface StreamDescription<P extends TSchema> extends OperationDescription<P, TSchema, TSchema> {
  /** The media types that are taken; another one is 415. `body` only describes what is sent as JSON. */
  readonly contentTypes: readonly string[];
  /** Describes the request headers that mean something; the handler checks them. */
  readonly headers?: TSchema;
  /** Reads the body as it comes, as slowly as it likes, and opens the transactions that it needs. */
  handle(context: ServiceContext, request: StreamRequest<Static<P>>): Promise<Reply>;
}

/** A request whose body nobody has read. */
export interface StreamRequest<Params> {
  readonly params: Params;
  readonly caller: Caller;
  /** The media type, lower case, without parameters. */
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: RequestBody;
  readonly unknownNames: UnknownNameReport;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets what each one's request looks like.
type Any = any;

export type ReadOperation = { readonly kind: 'read' } & ReadDescription<Any, Any, Any>;
export type WriteOperation = { readonly kind: 'write' } & WriteDescription<Any, Any, Any, Any>;
export type StreamOperation = { readonly kind: 'stream' } & StreamDescription<Any>;
export type Operation = ReadOperation | WriteOperation | StreamOperation;

/**
 * An operation for which the server opens no transaction: it changes nothing, or it works longer than a transaction may
 * stay open, and opens its own.
 */
export function readOperation<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
>(description: ReadDescription<P, Q, B>): ReadOperation {
  return { kind: 'read', ...description };
}

/**
 * An operation that changes something: the server opens its transaction, records the response under the
 * Idempotency-Key in the same one, and commits.
 */
export function writeOperation<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  Locks extends true | undefined = undefined,
>(description: WriteDescription<P, Q, B, Locks>): WriteOperation {
  return { kind: 'write', ...description };
}

/** An operation that takes its body as a stream of bytes, because it may be too large to hold or to parse in one go. */
export function streamOperation<P extends TSchema = TSchema>(
  description: StreamDescription<P>,
): StreamOperation {
  return { kind: 'stream', ...description };
}
