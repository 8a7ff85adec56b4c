import type { KeyedRequest } from '../../access/idempotency/keyed-request.ts';
import type { SetOperation } from '../../api/operation.ts';
import type { OperationRequest } from '../../api/operation-request.ts';

export interface WriteRequest {
  // An operation is run only with requests that its schemas have validated.
  readonly operation: SetOperation<never>;
  readonly request: OperationRequest<never, never, never>;
  readonly brandId: number;
  /** null for a request without an Idempotency-Key. */
  readonly keyed: KeyedRequest | null;
  /** Called if the request has to wait. The signal aborts when the client has disconnected. */
  readonly gone?: () => AbortSignal;
}

export function keyNameOf(keyed: KeyedRequest | null): string | null {
  return keyed === null ? null : `${keyed.scope.lineageId} ${keyed.scope.key}`;
}

/** Returns whether the request shares its transaction with others: it waits for no lock but its brand's. */
export function isShareable({ operation: { set }, request }: WriteRequest): boolean {
  return set.isAlone?.(request as never) !== true;
}

/** The lane in which the request waits; those of one lane run one by one. null: a dry run, which locks nothing. */
export function laneOf({ operation: { set }, request, brandId }: WriteRequest): string | null {
  return set.isDryRun?.(request as never) === true ? null : `${set.lock} ${brandId}`;
}
