import type { DescribedOperation } from '../../api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';
import { errorStatusesOf } from './error-codes.ts';
import { errorExample, isSharedExample } from './error-examples.ts';
import { errorBodySchema, errorName } from './error-schemas.ts';
import { errorHeadersOf, headerRefs, listenerHeadersOf } from './response-headers.ts';

type Json = Record<string, unknown>;

/** Returns the error responses of an operation by status. Responses that are the same everywhere are references. */
export function errorResponses(operation: DescribedOperation): Record<string, Json> {
  const responses = errorStatusesOf(operation).map(([status, codes]) => {
    const name = sharedName(status, codes);
    return [
      String(status),
      name === null ? errorResponse(operation, status, codes) : { $ref: `#/components/responses/${name}` },
    ];
  });
  return Object.fromEntries(responses);
}

export function sharedErrorResponses(operations: readonly DescribedOperation[]): Record<string, Json> {
  const shared = new Map<string, Json>();
  for (const operation of operations)
    for (const [status, codes] of errorStatusesOf(operation)) {
      const name = sharedName(status, codes);
      if (name !== null && !shared.has(name)) shared.set(name, errorResponse(operation, status, codes));
    }
  return Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A single code such as `duplicate_sku` becomes `DuplicateSku`; several codes under one status belong to the operation. */
function sharedName(status: number, codes: readonly ErrorCode[]): string | null {
  if (status === 417) return 'ExpectationFailed';
  const [code, second] = codes;
  if (code === undefined || second !== undefined || !isSharedExample(code)) return null;
  return errorName(code);
}

function errorResponse(operation: DescribedOperation, status: number, codes: readonly ErrorCode[]): Json {
  const causes = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].cause}`);
  return {
    description: causes.length === 1 ? causes[0] : causes.map((cause) => `- ${cause}`).join('\n'),
    headers: headerRefs([...listenerHeadersOf(operation), ...errorHeadersOf(codes)]),
    content: {
      'application/json': {
        schema: errorBodySchema(codes),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: errorExample(operation, code, status) }]),
        ),
      },
    },
  };
}
