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
import type { OperationRequest, ReadRequest, StreamRequest } from './operation-request.ts';
import type { PageAnchors } from './page-anchors.ts';
import type { Reply, ReplyOf, ResponseDescriptions, Unchanged, WriteOutcome } from './reply.ts';

interface AuditedRequest {
  /** For transactions that the handler opens itself. */
  readonly initiator: Initiator;
}

interface CommittingRequest<R extends Reply> {
  /**
   * Runs work of a brand in the request's only transaction, and again from the start after a deadlock. Nothing runs if another
   * request has used the Idempotency-Key meanwhile: its response is returned.
   */
  readonly commit: (brandId: number, work: (tx: AuditedTransaction) => Promise<R>) => Promise<WriteOutcome>;
}

/** The request of an operation with this access: on the internal surface it says who makes the changes [internal-54]. */
type RequestOf<A extends OperationAccess, Request> = A extends CallerAccess
  ? Request & AuditedRequest
  : Request;

/** The transaction of a write with this access. */
type TransactionOf<A extends OperationAccess> = A extends CallerAccess ? AuditedTransaction : Transaction;

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

/** The rule for the Idempotency-Key header of a write [platform-57] [platform-58] [platform-59]. */
export type IdempotencyRule = 'required' | 'optional' | 'ignored';

interface OperationDescription<
  A extends OperationAccess,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> {
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
  readonly access: A;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyExample?: unknown;
  /** True if the body is optional; the handler then receives an empty object. */
  readonly bodyOptional?: boolean;
  /** Fields that are dropped: neither listed nor refused under strict handling [platform-29]. */
  readonly droppedFields?: readonly string[];
  /** The maximum body size in bytes, if it is not the general 1 MiB [platform-23]. */
  readonly bodyLimit?: number;
  /** The successful responses, by status. They decide what `handle` may return. */
  readonly responses: R;
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

interface ReadDescription<
  Context,
  A extends OperationAccess,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> extends OperationDescription<A, P, Q, B, R> {
  readonly method: 'GET';
  // NoInfer: `responses` alone decides what R is, so that a returned status keeps its literal type.
  readonly handle: (
    context: Context,
    request: RequestOf<NoInfer<A>, ReadRequest<Static<P>, Static<Q>, Static<B>>>,
  ) => Promise<ReplyOf<NoInfer<R>> | Unchanged>;
  /**
   * Returns the version of the response that `handle` would return now, in one short statement; null if that would not be a
   * success. May also throw the error of that response. Makes the operation conditional: its 200 has an `ETag`, a request with a
   * matching `If-None-Match` costs only this call, and bodies are kept and served again (`ReadRequest.known`).
   */
  readonly currentVersion?: (
    context: Context,
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
  ) => Promise<VersionNow | string | null>;
}

interface UnmanagedDescription<
  Context,
  A extends OperationAccess,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> extends OperationDescription<A, P, Q, B, R> {
  readonly method: 'POST' | 'PUT';
  readonly handle: (
    context: Context,
    request: RequestOf<NoInfer<A>, OperationRequest<Static<P>, Static<Q>, Static<B>>>,
  ) => Promise<ReplyOf<NoInfer<R>>>;
}

interface WriteDescription<
  Context,
  A extends OperationAccess,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> extends OperationDescription<A, P, Q, B, R> {
  /** Absent: the header is ignored. Keys belong to the caller [internal-185]. */
  readonly idempotency?: 'optional';
  /** True if the handler compares `ifMatch` with the resource that it has locked. */
  readonly takesIfMatch?: boolean;
  /** Runs in the request's only transaction, and again from the start after a deadlock or a lost connection. */
  readonly handle: (
    tx: TransactionOf<NoInfer<A>>,
    request: RequestOf<NoInfer<A>, OperationRequest<Static<P>, Static<Q>, Static<B>>>,
    context: Context,
  ) => Promise<ReplyOf<NoInfer<R>>>;
}

interface LongWriteDescription<
  Context,
  A extends CallerAccess,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> extends OperationDescription<A, P, Q, B, R> {
  readonly idempotency: 'optional';
  /** Prepares the change without a transaction, then makes it with `request.commit`. */
  readonly handle: (
    context: Context,
    request: OperationRequest<Static<P>, Static<Q>, Static<B>> & CommittingRequest<ReplyOf<NoInfer<R>>>,
  ) => Promise<WriteOutcome>;
}

interface ClientWriteDescription<
  Context,
  L,
  F,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseDescriptions,
> extends OperationDescription<readonly Scope[], P, Q, B, R> {
  readonly idempotency: IdempotencyRule;
  readonly lock: BrandLock<L>;
  /**
   * Returns what the request is about, such as a product. Requests of different subjects may share a transaction: a handler then
   * reads nothing that a request of another subject writes. Those of one subject are handled one after another, in order of
   * arrival. Absent or null: the request shares its transaction with no other.
   */
  readonly subject?: (request: OperationRequest<Static<P>, Static<Q>, Static<B>>) => string | null;
  /**
   * Reads what `handle` receives: for writes whose latency counts. Of a request alone, its statements leave with the lock, behind
   * it, which saves a round trip. They run for a retry as well.
   */
  readonly read?: (at: InBrand, request: OperationRequest<Static<P>, Static<Q>, Static<B>>) => Promise<F>;
  /**
   * Reads, decides and queues what it writes, or decides on the lock, whose `finish` writes. A refusal is thrown before anything
   * is queued or decided; `finish`, the response's record and the commit follow.
   */
  readonly handle: (
    lock: L,
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
    context: Context,
    read: NoInfer<F>,
  ) => Promise<ReplyOf<NoInfer<R>>>;
  /** Takes `If-Match` [platform-94]. Absent: the header is ignored, and the response says so. */
  readonly precondition?: {
    /** The read that gives out the tags, of the same path. */
    readonly of: ReadOperation;
    /** Returns the version that a read would have now, under the lock; null: there is no such resource. */
    readonly findVersion: (
      lock: L,
      request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
    ) => Promise<string | null>;
  };
  /** Handles requests that only ask what would be written: without the lock and a turn. */
  readonly dryRun?: {
    readonly isAsked: (request: OperationRequest<Static<P>, Static<Q>, Static<B>>) => boolean;
    readonly handle: (
      tx: Transaction,
      request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
    ) => Promise<ReplyOf<NoInfer<R>>>;
  };
}

interface StreamDescription<Context, P extends TSchema, R extends ResponseDescriptions>
  extends OperationDescription<OperationAccess, P, TSchema, TSchema, R> {
  /** The accepted media types; others return 415. `body` only describes the JSON form. */
  readonly contentTypes: readonly string[];
  /** Describes the request headers that the operation uses; the handler validates them. */
  readonly headers?: TSchema;
  /** Reads the body at its own pace, and opens the transactions that it needs. */
  readonly handle: (context: Context, request: StreamRequest<Static<P>>) => Promise<ReplyOf<NoInfer<R>>>;
}

// A list of operations forgets what the request of each looks like. The kit's one `any`: a handler is only called with a request
// that the same operation's schemas have validated.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Any = any;

interface Described
  extends OperationDescription<OperationAccess, TSchema, TSchema, TSchema, ResponseDescriptions> {}

export interface ReadOperation<Context = ServiceContext> extends Described {
  readonly kind: 'read';
  readonly handle: (context: Context, request: Any) => Promise<Reply | Unchanged>;
  readonly currentVersion?: (context: Context, request: Any) => Promise<VersionNow | string | null>;
}

export interface UnmanagedOperation<Context = ServiceContext> extends Described {
  readonly kind: 'unmanaged';
  readonly handle: (context: Context, request: Any) => Promise<Reply>;
}

export interface WriteOperation<Context = ServiceContext> extends Described {
  readonly kind: 'write';
  readonly idempotency?: 'optional';
  readonly takesIfMatch?: boolean;
  readonly handle: (tx: Any, request: Any, context: Context) => Promise<Reply>;
}

export interface LongWriteOperation<Context = ServiceContext> extends Described {
  readonly kind: 'long-write';
  readonly idempotency: 'optional';
  readonly handle: (context: Context, request: Any) => Promise<WriteOutcome>;
}

/** The lock of a write, with what handles it, for code that runs all writes alike. */
export interface LockedWork {
  readonly lock: BrandLock<Any>;
  readonly read?: (at: InBrand) => Promise<Any> | undefined;
  readonly handle: (lock: Any, read: Any) => Promise<Reply>;
}

export interface ClientWriteOperation<Context = ServiceContext> extends Described {
  readonly kind: 'client-write';
  readonly idempotency: IdempotencyRule;
  readonly lock: BrandLock<Any>;
  readonly subject?: (request: Any) => string | null;
  readonly read?: (at: InBrand, request: Any) => Promise<Any>;
  readonly handle: (lock: Any, request: Any, context: Context, read: Any) => Promise<Reply>;
  readonly precondition?: {
    readonly of: ReadOperation;
    readonly findVersion: (lock: Any, request: Any) => Promise<string | null>;
  };
  readonly dryRun?: {
    readonly isAsked: (request: Any) => boolean;
    readonly handle: (tx: Transaction, request: Any) => Promise<Reply>;
  };
}

export interface StreamOperation<Context = ServiceContext> extends Described {
  readonly kind: 'stream';
  readonly contentTypes: readonly string[];
  readonly headers?: TSchema;
  readonly handle: (context: Context, request: Any) => Promise<Reply>;
}

/** An operation whose handler receives a `Context`; one that needs less can be used where more is available. */
export type Operation<Context = ServiceContext> =
  | ReadOperation<Context>
  | UnmanagedOperation<Context>
  | WriteOperation<Context>
  | LongWriteOperation<Context>
  | ClientWriteOperation<Context>
  | StreamOperation<Context>;

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

export function idempotencyRuleOf(operation: DescribedOperation): IdempotencyRule {
  return ('idempotency' in operation ? operation.idempotency : undefined) ?? 'ignored';
}

/** The constructors of operations whose handlers receive a `Context`. */
export function operationKit<Context extends ServiceContext>() {
  return {
    /** A read: the server opens no transaction, and one that works for long opens its own. */
    readOperation<
      const A extends OperationAccess,
      P extends TSchema = TSchema,
      Q extends TSchema = TSchema,
      B extends TSchema = TSchema,
      R extends ResponseDescriptions = ResponseDescriptions,
    >(description: ReadDescription<Context, A, P, Q, B, R>): ReadOperation<Context> {
      return { kind: 'read', ...description };
    },

    /** A write whose transaction the handler opens, because something has to follow the commit, or because it needs none. */
    unmanagedOperation<
      const A extends OperationAccess,
      P extends TSchema = TSchema,
      Q extends TSchema = TSchema,
      B extends TSchema = TSchema,
      R extends ResponseDescriptions = ResponseDescriptions,
    >(description: UnmanagedDescription<Context, A, P, Q, B, R>): UnmanagedOperation<Context> {
      return { kind: 'unmanaged', ...description };
    },

    /** A write of the internal listener: the server opens its transaction and commits. */
    writeOperation<
      const A extends OperationAccess,
      P extends TSchema = TSchema,
      Q extends TSchema = TSchema,
      B extends TSchema = TSchema,
      R extends ResponseDescriptions = ResponseDescriptions,
    >(description: WriteDescription<Context, A, P, Q, B, R>): WriteOperation<Context> {
      return { kind: 'write', ...description };
    },

    /** A write of the internal listener that prepares its change before it opens its transaction. */
    longWriteOperation<
      const A extends CallerAccess,
      P extends TSchema = TSchema,
      Q extends TSchema = TSchema,
      B extends TSchema = TSchema,
      R extends ResponseDescriptions = ResponseDescriptions,
    >(description: LongWriteDescription<Context, A, P, Q, B, R>): LongWriteOperation<Context> {
      return { kind: 'long-write', ...description };
    },

    /**
     * A write of the client listener: the server opens the transaction, which requests with other subjects may share, takes the
     * lock, and records the response under the Idempotency-Key before it commits.
     */
    clientWrite<
      L,
      F = undefined,
      P extends TSchema = TSchema,
      Q extends TSchema = TSchema,
      B extends TSchema = TSchema,
      R extends ResponseDescriptions = ResponseDescriptions,
    >(description: ClientWriteDescription<Context, L, F, P, Q, B, R>): ClientWriteOperation<Context> {
      return { kind: 'client-write', ...description };
    },

    /** An operation that reads its body as a stream of bytes, because it may be too large to hold or to parse at once. */
    streamOperation<P extends TSchema = TSchema, R extends ResponseDescriptions = ResponseDescriptions>(
      description: StreamDescription<Context, P, R>,
    ): StreamOperation<Context> {
      return { kind: 'stream', ...description };
    },
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
