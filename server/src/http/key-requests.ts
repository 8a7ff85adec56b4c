import { bearerToken, parseApiKey } from '../access/authentication/authentication.ts';
import { clientGone } from '../access/key-usage/usage-counts.ts';
import { storedErrors, storedNames, storedText } from '../access/refusals/refusal.ts';
import type { ClientAdmissionDeps } from './admission.ts';
import { type NoteRequest, pathOf } from './request-record.ts';

/**
 * Returns a function that counts the requests of keys and notes the refused ones [D250]. A key that was not looked up, such as
 * that of a path without an operation, is named as the request names it.
 */
export function keyRequestNotes({
  context: { clock },
  keyUsage,
}: Pick<ClientAdmissionDeps, 'context' | 'keyUsage'>): NoteRequest {
  return (request, status) => {
    // Of a request that failed before routing they are undefined.
    const { keyUse, keyRow, refusal } = request;
    const at = clock.now();
    if (keyUse) keyUsage.count(keyUse, status, at);
    if (status < 400 || status === clientGone) return;
    const keyId = keyUse?.keyId ?? namedKeyId(request.raw.rawHeaders);
    if (keyId === null) return;
    keyUsage.refuse(
      {
        at,
        requestId: request.id,
        keyId,
        operation: request.routeOptions.config?.operationId ?? null,
        method: request.method,
        path: storedText(pathOf(request.url)),
        status,
        code: refusal?.code ?? 'server_error',
        reason: keyRow?.reason ?? null,
        fields: storedNames(Object.keys(refusal?.details.errors ?? {})),
        message: refusal === null ? null : storedText(refusal.message),
        errors: storedErrors(refusal?.details.errors ?? {}),
        requiredScopes: refusal?.details.requiredScopes ?? [],
        address: request.origin.address,
      },
      keyUse && keyRow ? { brandId: keyUse.brandId, rowId: keyRow.rowId } : null,
    );
  };
}

function namedKeyId(rawHeaders: readonly string[]): string | null {
  const bearer = bearerToken(rawHeaders);
  if ('failure' in bearer) return null;
  const credentials = parseApiKey(bearer.token);
  return 'failure' in credentials ? null : credentials.keyId;
}
