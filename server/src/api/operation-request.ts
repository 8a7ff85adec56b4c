import type { BrandReach, InternalCaller } from './access.ts';
import type { RequestBody } from './request-body.ts';
import type { Caller } from './scopes.ts';
import type { UnknownNameReport } from './unknown-names.ts';

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

export interface ReadRequest<Params, Query, Body> extends OperationRequest<Params, Query, Body> {
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
