import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import type { Clock } from '../lib/clock.ts';
import type { Threads } from '../lib/threads.ts';
import type { Database } from '../postgres/database.ts';
import type { CatalogTransaction, Transaction } from '../postgres/transaction.ts';
import type { JobSender } from './job-sender.ts';
import type { PageAnchors } from './page-anchors.ts';
import type { ReplyOf, ResponseDescriptions } from './reply.ts';
import type { RequestBody } from './request-body.ts';
import type { Caller, Scope } from './scopes.ts';
import type { UnknownNameReport } from './unknown-names.ts';

/** What a handler may use of the running server. */
export interface ServiceContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: JobSender;
  readonly anchors: PageAnchors;
  readonly threads: Threads;
}

export interface OperationRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Present on every operation whose access is by API key. */
  readonly caller: Caller;
}

/** By API key: a list of accepted scopes (any of them; an empty list = every valid key). By admin token: `admin`. */
export type OperationAccess = readonly Scope[] | 'admin';

interface OperationDescription<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> {
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
  /** Fields that are dropped: neither listed nor refused under strict handling [platform-29]. */
  readonly droppedFields?: readonly string[];
  /** The largest body in bytes, where it is not the general 1 MiB [platform-23]. */
  readonly bodyLimit?: number;
  /** The successful responses, by status. They decide what `handle` may return. */
  readonly responses: R;
  /** Whether the answer shows a secret in plain text: it is then never compressed [D61]. */
  readonly revealsSecret?: boolean;
  /** Codes of its own, besides those that every operation of its kind can answer. */
  readonly errors?: readonly ErrorCode[];
}

interface ReadDescription<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> extends OperationDescription<P, Q, B, R> {
  // NoInfer: `responses` alone decides what R is, so that a returned status keeps its literal type.
  handle(
    context: ServiceContext,
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
  ): Promise<ReplyOf<NoInfer<R>>>;
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
  R extends ResponseDescriptions,
  Locks extends true | undefined,
> extends OperationDescription<P, Q, B, R> {
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
  ): Promise<ReplyOf<NoInfer<R>>>;
}

interface StreamDescription<P extends TSchema, R extends ResponseDescriptions>
  extends OperationDescription<P, TSchema, TSchema, R> {
  /** The media types that are taken; another one is 415. `body` only describes what is sent as JSON. */
  readonly contentTypes: readonly string[];
  /** Describes the request headers that mean something; the handler checks them. */
  readonly headers?: TSchema;
  /** Reads the body as it comes, as slowly as it likes, and opens the transactions that it needs. */
  handle(context: ServiceContext, request: StreamRequest<Static<P>>): Promise<ReplyOf<NoInfer<R>>>;
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

export type ReadOperation = { readonly kind: 'read' } & ReadDescription<Any, Any, Any, ResponseDescriptions>;
export type WriteOperation = { readonly kind: 'write' } & WriteDescription<
  Any,
  Any,
  Any,
  ResponseDescriptions,
  Any
>;
export type StreamOperation = { readonly kind: 'stream' } & StreamDescription<Any, ResponseDescriptions>;
export type Operation = ReadOperation | WriteOperation | StreamOperation;

/**
 * An operation for which the server opens no transaction: it changes nothing, or it works longer than a transaction may
 * stay open, and opens its own.
 */
export function readOperation<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends ResponseDescriptions = ResponseDescriptions,
>(description: ReadDescription<P, Q, B, R>): ReadOperation {
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
  R extends ResponseDescriptions = ResponseDescriptions,
  Locks extends true | undefined = undefined,
>(description: WriteDescription<P, Q, B, R, Locks>): WriteOperation {
  return { kind: 'write', ...description };
}

/** An operation that takes its body as a stream of bytes, because it may be too large to hold or to parse in one go. */
export function streamOperation<
  P extends TSchema = TSchema,
  R extends ResponseDescriptions = ResponseDescriptions,
>(description: StreamDescription<P, R>): StreamOperation {
  return { kind: 'stream', ...description };
}
