import type { TSchema } from 'typebox';
import { idempotencyKeyOf } from '../../access/idempotency/idempotency-key.ts';
import { isInternal } from '../../api/access.ts';
import { exampleIds } from '../../api/example-ids.ts';
import { type DescribedOperation, type IdempotencyRule, idempotencyRuleOf } from '../../api/operation.ts';
import { type UnknownName, unknownNameFinder, unknownNameMessage } from '../../api/unknown-names.ts';
import { ApiError, invalidField, rejectedStale } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/error-catalogue.ts';
import { errorBody } from '../error-body.ts';
import { unmetExpectation } from '../protocol-faults.ts';
import { createValidatorCompiler } from '../validation/validator.ts';

export function errorExample(
  operation: DescribedOperation,
  code: ErrorCode,
  status: number,
): Record<string, unknown> {
  return errorBody(exampleOf(operation, code, status), isInternal(operation.access) ? 'internal' : 'client');
}

function exampleOf(operation: DescribedOperation, code: ErrorCode, status: number): ApiError {
  if (status === 417) return unmetExpectation();
  if (code === 'validation_failed') return validationExample(operation);
  if (code === 'insufficient_scope' && !isInternal(operation.access))
    return new ApiError(code, {
      message: `This endpoint requires the scope ${operation.access.join(' or ')}.`,
    });
  if (code === 'rejected_stale') return rejectedStale('2026-03-02T11:00:00.000Z');
  const extra = furtherKeys[code];
  return new ApiError(code, extra && { extra });
}

const furtherKeys: Readonly<Partial<Record<ErrorCode, Record<string, unknown>>>> = {
  duplicate_sku: { conflict: { kind: 'product', tu_id: exampleIds.product, is_deleted: false } },
  stock_version_conflict: { current_quantity: 12 },
};

/** Returns whether the example is the same for every operation that returns the code. */
export function isSharedExample(code: ErrorCode): boolean {
  return code !== 'validation_failed' && code !== 'insufficient_scope';
}

/** Returns the validator's own messages for a request that breaks a rule of this operation. */
function validationExample({ body, query, ...operation }: DescribedOperation): ApiError {
  const error =
    (body && refusal('body', body, [{}, ...oneFieldEach(body, '')])) ??
    (query &&
      refusal(
        'querystring',
        query,
        ['x', '\u0000'].flatMap((value) => oneFieldEach(query, value)),
      )) ??
    keyRefusal(idempotencyRuleOf(operation as DescribedOperation));
  return error ?? strictRefusal(query);
}

/** Returns the refusal of an operation without body and query: an unknown name under strict handling. */
function strictRefusal(query: TSchema | undefined): ApiError {
  const [unknown] = unknownNameFinder(query)({ verbose: '1' }, 1) as [UnknownName];
  return invalidField(unknown.path, unknownNameMessage(unknown, 'query parameter'));
}

function oneFieldEach(schema: TSchema, value: string): object[] {
  const { properties = {} } = schema as { properties?: object };
  return Object.keys(properties).map((name) => ({ [name]: value }));
}

/** Returns the validator's error for the first of the values that it rejects. */
function refusal(httpPart: string, schema: TSchema, values: readonly object[]): ApiError | undefined {
  const validate = createValidatorCompiler()({ httpPart, schema, method: 'POST', url: '/' });
  for (const value of values) {
    const { error } = validate(value) as { error?: unknown };
    if (error instanceof ApiError) return error;
  }
  return undefined;
}

function keyRefusal(rule: IdempotencyRule): ApiError | undefined {
  try {
    idempotencyKeyOf('no spaces', rule);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  return undefined;
}
