import type { BrandReach, Caller, InternalCaller } from './access.ts';
import type { UnknownNameReport } from './unknown-names.ts';

/** A request body that has not been read. It can be read once, by `read` or by `chunks`. Limits count decoded bytes. */
export interface RequestBody {
  /**
   * Reads the whole body, without its content coding. `workingBytes`: the memory that the handler needs in addition to
   * the body; it counts against the budget of bodies in flight. Its buffer is separate and may be
   * transferred to a thread and is freed with the response. `wayOut`: how to send more, for a 413.
   * @throws ApiError `payload_too_large`; `service_unavailable` without room in the budget; `request_timeout` if the
   * client stalls; `bad_request` if it disconnects; `validation_failed` if the coding cannot be decoded
   */
  read(limit: number, workingBytes?: number, wayOut?: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Yields the body in pieces, read only as fast as they are consumed. The memory of a piece is freed when the next one is
   * requested: copy data that is kept longer. A loop may be left early. `workingBytes` and errors as for `read`.
   */
  chunks(limit: number, workingBytes: number): AsyncIterable<Buffer>;
}

export interface ClientOrigin {
  /** The client's address; an empty string if the connection is already gone. */
  readonly address: string;
  /** True if the client's connection is encrypted, as a trusted proxy says. */
  readonly isHttps: boolean;
  /** The host and port that the client addresses; an empty string if it names none. */
  readonly host: string;
}

export interface OperationRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly internalCaller: InternalCaller;
  readonly brandIds: BrandReach;
  readonly origin: ClientOrigin;
  /** The `If-Match` header as it was sent, for operations that take it. */
  readonly ifMatch: string | undefined;
  /** True if the request prefers the representation of what it did to an empty response (RFC 7240, 4.2). */
  readonly prefersRepresentation: boolean;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  /** The path under which the client reaches the server, such as `/brandport`; usually an empty string. */
  readonly pathPrefix: string;
}

/** What a read receives in addition. */
export interface KnownVersion {
  /**
   * The version of a response to the same request that the server has kept; null if it has none. The handler of an
   * operation with `currentVersion` may return `unchanged` if the statement that reads the body finds this version.
   */
  readonly known: string | null;
}

export interface StreamRequest<Params> {
  readonly params: Params;
  readonly caller: Caller;
  readonly requestId: string;
  /** The media type, lower case, without parameters. */
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: RequestBody;
  readonly unknownNames: UnknownNameReport;
  readonly pathPrefix: string;
}
