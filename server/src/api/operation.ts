import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import type { Clock } from '../lib/clock.ts';
import type { Seal } from '../lib/secrets.ts';
import type { Threads } from '../lib/threads.ts';
import type { Database } from '../postgres/database.ts';
import type { AuditedTransaction, Initiator, Transaction } from '../postgres/transaction.ts';
import type { JobSender } from '../queue/job-sender.ts';
import type { CallerAccess, OperationAccess, Scope } from './access.ts';
import type { BrandLock, InBrand } from './brand-lock.ts';
import type { KnownVersion, OperationRequest, StreamRequest } from './operation-request.ts';
import type { PageAnchors } from './page-anchors.ts';
import type { Reply, ReplyOf, ResponseDescriptions, Unchanged, WriteOutcome } from './reply.ts';

/** The parts of the running server that every handler may use; a domain extends it with its own. */
export interface ServiceContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: JobSender;
  readonly anchors: PageAnchors;
  readonly threads: Threads;
  /** Encrypts the tokens with which clients follow changes. Its nonces are derived. */
  readonly changeSeal: Seal;
}

/** What an operation receives and returns, as it declares it: the types of its handler follow from this. */
interface Exchange {
  readonly access: OperationAccess;
  readonly params: TSchema;
  readonly query: TSchema;
  readonly body: TSchema;
  readonly responses: ResponseDescriptions;
}

/** The exchange of an operation in a list: what its request looks like is forgotten. */
interface AnyExchange extends Exchange {
  readonly isForgotten: true;
}

// The kit's one `any`: a handler is only called with a request that the schemas of its operation have validated.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Any = any;

interface AuditedRequest {
  /** For transactions that the handler opens itself. */
  readonly initiator: Initiator;
}

/** The request of an exchange. On the internal surface it says who makes the changes [internal-54]. */
type RequestOf<E extends Exchange, More = unknown> = E extends AnyExchange
  ? Any
  : OperationRequest<Static<E['params']>, Static<E['query']>, Static<E['body']>> &
      More &
      (E['access'] extends CallerAccess ? AuditedRequest : unknown);

/** The transaction of a write, whose audit names the caller on the internal surface. */
type TransactionOf<E extends Exchange> = E extends AnyExchange
  ? Any
  : E['access'] extends CallerAccess
    ? AuditedTransaction
    : Transaction;

// NoInfer: `responses` alone decides what may be returned, so that a returned status keeps its literal type.
type ReplyTo<E extends Exchange> = E extends AnyExchange ? Reply : ReplyOf<NoInfer<E['responses']>>;

/** The part that all kinds of operations have. */
interface OperationDescription<E extends Exchange> {
  /** The operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Relative to the domain's prefix, parameters as `:tuId`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Markdown, written for integrators. */
  readonly description: string;
  /** Without it, an operation does not compile. */
  readonly access: E['access'];
  readonly params?: E['params'];
  readonly query?: E['query'];
  readonly body?: E['body'];
  readonly bodyExample?: unknown;
  /** True if the body is optional; the handler then receives an empty object. */
  readonly bodyOptional?: boolean;
  /** Fields that are dropped: neither listed nor refused under strict handling [platform-29]. */
  readonly droppedFields?: readonly string[];
  /** The maximum body size in bytes, if it is not the general 1 MiB [platform-23]. */
  readonly bodyLimit?: number;
  /** The successful responses, by status. They decide what `handle` may return. */
  readonly responses: E['responses'];
  /** The field that shows a secret in plain text. Such a response is never compressed [D61]; in a replay the field is null. */
  readonly secretField?: 'api_key' | 'token';
  /** Additional error codes, beyond those of every operation of its kind. */
  readonly errors?: readonly ErrorCode[];
}

/** The version of a response, and the headers that depend on it. */
export interface VersionNow {
  readonly state: string;
  /** Headers of the response that a 304 has as well. */
  readonly headers: Readonly<Record<string, string>>;
}

interface ReadDescription<Context, E extends Exchange> extends OperationDescription<E> {
  readonly method: 'GET';
  readonly handle: (context: Context, request: RequestOf<E, KnownVersion>) => Promise<ReplyTo<E> | Unchanged>;
  /**
   * Returns the version of the response that `handle` would return now, in one short statement; null if that would not be a
   * success. May also throw the error of that response. Makes the operation conditional: its 200 has an `ETag`, a request with a
   * matching `If-None-Match` costs only this call, and bodies are kept and served again (`KnownVersion`).
   */
  readonly currentVersion?: (context: Context, request: RequestOf<E>) => Promise<VersionNow | string | null>;
}

interface UnmanagedDescription<Context, E extends Exchange> extends OperationDescription<E> {
  readonly method: 'POST' | 'PUT';
  readonly handle: (context: Context, request: RequestOf<E>) => Promise<ReplyTo<E>>;
}

interface StreamDescription<Context, E extends Exchange> extends OperationDescription<E> {
  /** The accepted media types; others return 415. `body` only describes the JSON form. */
  readonly contentTypes: readonly string[];
  /** Describes the request headers that the operation uses; the handler validates them. */
  readonly headers?: TSchema;
  /** Reads the body at its own pace, and opens the transactions that it needs. */
  readonly handle: (
    context: Context,
    request: E extends AnyExchange ? Any : StreamRequest<Static<E['params']>>,
  ) => Promise<ReplyTo<E>>;
}

interface WriteDescription<Context, E extends Exchange> extends OperationDescription<E> {
  /** Absent: the header is ignored. Keys belong to the caller [internal-185]. */
  readonly idempotency?: 'optional';
  /** True if the handler compares `ifMatch` with the resource that it has locked. */
  readonly takesIfMatch?: boolean;
  /** Runs in the request's only transaction, and again from the start after a deadlock or a lost connection. */
  readonly handle: (tx: TransactionOf<E>, request: RequestOf<E>, context: Context) => Promise<ReplyTo<E>>;
}

interface CommittingRequest<E extends Exchange> {
  /**
   * Runs work of a brand in the request's only transaction, and again from the start after a deadlock. Nothing runs if another
   * request has used the Idempotency-Key meanwhile: its response is returned.
   */
  readonly commit: (
    brandId: number,
    work: (tx: AuditedTransaction) => Promise<ReplyTo<E>>,
  ) => Promise<WriteOutcome>;
}

interface LongWriteDescription<Context, E extends Exchange> extends OperationDescription<E> {
  readonly access: E['access'] & CallerAccess;
  readonly idempotency: 'optional';
  /** Prepares the change without a transaction, then makes it with `request.commit`. */
  readonly handle: (context: Context, request: RequestOf<E, CommittingRequest<E>>) => Promise<WriteOutcome>;
}

/** The rule for the Idempotency-Key header of a write [platform-57] [platform-58] [platform-59]. */
export type IdempotencyRule = 'required' | 'optional' | 'ignored';

/** `L` is the lock as the handler receives it, `F` what `read` finds. */
interface ClientWriteDescription<Context, E extends Exchange, L, F> extends OperationDescription<E> {
  readonly access: E['access'] & readonly Scope[];
  readonly idempotency: IdempotencyRule;
  readonly lock: BrandLock<L>;
  /**
   * Returns what the request is about, such as a product. Requests of different subjects may share a transaction: a handler then
   * reads nothing that a request of another subject writes. Those of one subject are handled one after another, in order of
   * arrival. Absent or null: the request shares its transaction with no other.
   */
  readonly subject?: (request: RequestOf<E>) => string | null;
  /**
   * Reads what `handle` receives: for writes whose latency counts. If the request is alone, the statements leave with that of the
   * lock, behind it, which saves a round trip. They run for a retry as well.
   */
  readonly read?: (at: InBrand, request: RequestOf<E>) => Promise<F>;
  /**
   * Reads, decides and queues what it writes, or decides on the lock, whose `finish` writes. A refusal is thrown before anything
   * is queued or decided; `finish`, the response's record and the commit follow.
   */
  readonly handle: (
    lock: L,
    request: RequestOf<E>,
    context: Context,
    read: NoInfer<F>,
  ) => Promise<ReplyTo<E>>;
  /** Takes `If-Match` [platform-94]. Absent: the header is ignored, and the response says so. */
  readonly precondition?: {
    /** The read that gives out the tags, of the same path. */
    readonly of: ReadOperation;
    /** Returns the version that a read would have now, under the lock; null: there is no such resource. */
    readonly findVersion: (lock: L, request: RequestOf<E>) => Promise<string | null>;
  };
  /** Handles requests that only ask what would be written: without the lock and a turn. */
  readonly dryRun?: {
    readonly isAsked: (request: RequestOf<E>) => boolean;
    readonly handle: (tx: Transaction, request: RequestOf<E>) => Promise<ReplyTo<E>>;
  };
}

/** The lock of a write, with what handles it, for code that runs all writes alike. */
export interface LockedWork {
  readonly lock: BrandLock<Any>;
  readonly read?: (at: InBrand) => Promise<Any> | undefined;
  readonly handle: (lock: Any, read: Any) => Promise<Reply>;
}

interface Descriptions<Context, E extends Exchange> {
  readonly read: ReadDescription<Context, E>;
  readonly unmanaged: UnmanagedDescription<Context, E>;
  readonly stream: StreamDescription<Context, E>;
  readonly write: WriteDescription<Context, E>;
  readonly 'long-write': LongWriteDescription<Context, E>;
  readonly 'client-write': ClientWriteDescription<Context, E, Any, Any>;
}

type Kind = keyof Descriptions<never, AnyExchange>;

/** An operation as lists have it: its description without the types of its request. */
type Erased<K extends Kind, Context> = { readonly kind: K } & Descriptions<Context, AnyExchange>[K];

export type ReadOperation<Context = ServiceContext> = Erased<'read', Context>;
export type UnmanagedOperation<Context = ServiceContext> = Erased<'unmanaged', Context>;
export type StreamOperation<Context = ServiceContext> = Erased<'stream', Context>;
export type WriteOperation<Context = ServiceContext> = Erased<'write', Context>;
export type LongWriteOperation<Context = ServiceContext> = Erased<'long-write', Context>;
export type ClientWriteOperation<Context = ServiceContext> = Erased<'client-write', Context>;

/** An operation whose handler receives a `Context`; one that needs less can be used where more is available. */
export type Operation<Context = ServiceContext> = { [K in Kind]: Erased<K, Context> }[Kind];

/** An operation of any domain, to be described, not run. */
export type AnyOperation = Operation<never>;

type WithoutHandler<O> = O extends unknown ? Omit<O, 'handle'> : never;

/** An operation without its handler, for the reference. */
export type DescribedOperation = WithoutHandler<AnyOperation>;

/** Returns whether the operation compares `If-Match` with the resource. */
export function takesIfMatch(operation: DescribedOperation): boolean {
  if (operation.kind === 'client-write') return operation.precondition !== undefined;
  return operation.kind === 'write' && operation.takesIfMatch === true;
}

/** Returns what the operation does with an Idempotency-Key. */
export function idempotencyRuleOf(operation: DescribedOperation): IdempotencyRule {
  return ('idempotency' in operation ? operation.idempotency : undefined) ?? 'ignored';
}

/** Makes an operation of a kind. The types of its handler follow from its access, schemas and responses. */
type Define<K extends Kind, Context> = <
  const A extends OperationAccess,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends ResponseDescriptions = ResponseDescriptions,
>(
  description: Descriptions<Context, { access: A; params: P; query: Q; body: B; responses: R }>[K],
) => Erased<K, Context>;

interface OperationKit<Context> {
  /** A read: the server opens no transaction, and one that works for long opens its own. */
  readonly readOperation: Define<'read', Context>;
  /** A write whose transaction the handler opens, because something has to follow the commit, or because it needs none. */
  readonly unmanagedOperation: Define<'unmanaged', Context>;
  /** An operation that reads its body as a stream of bytes, because it may be too large to hold or to parse at once. */
  readonly streamOperation: Define<'stream', Context>;
  /** A write of the internal listener: the server opens its transaction and commits. */
  readonly writeOperation: Define<'write', Context>;
  /** A write of the internal listener that prepares its change before it opens its transaction. */
  readonly longWriteOperation: Define<'long-write', Context>;
  /**
   * A write of the client listener: the server opens the transaction, which requests with other subjects may share, takes the
   * lock, and records the response under the Idempotency-Key before it commits.
   */
  readonly clientWrite: <
    L,
    F = undefined,
    P extends TSchema = TSchema,
    Q extends TSchema = TSchema,
    B extends TSchema = TSchema,
    R extends ResponseDescriptions = ResponseDescriptions,
  >(
    description: ClientWriteDescription<
      Context,
      { access: readonly Scope[]; params: P; query: Q; body: B; responses: R },
      L,
      F
    >,
  ) => ClientWriteOperation<Context>;
}

/** Returns the constructors of operations whose handlers receive a `Context`. */
export function operationKit<Context extends ServiceContext>(): OperationKit<Context> {
  return {
    readOperation: (description) => ({ kind: 'read', ...description }),
    unmanagedOperation: (description) => ({ kind: 'unmanaged', ...description }),
    streamOperation: (description) => ({ kind: 'stream', ...description }),
    writeOperation: (description) => ({ kind: 'write', ...description }),
    longWriteOperation: (description) => ({ kind: 'long-write', ...description }),
    clientWrite: (description) => ({ kind: 'client-write', ...description }),
  };
}

export const {
  readOperation,
  unmanagedOperation,
  writeOperation,
  longWriteOperation,
  clientWrite,
  streamOperation,
} = operationKit<ServiceContext>();
