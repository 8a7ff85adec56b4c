import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ErrorCode, errorCatalogue } from '../../../errors/error-catalogue.ts';
import { internalOperations } from '../../internal-operations.ts';
import { clientDomains } from '../client-document.ts';
import { codesByStatus, errorCodesOf, generalCodes } from '../error-codes.ts';

const allCodes = Object.keys(errorCatalogue) as ErrorCode[];
const operations = [...clientDomains.flatMap((domain) => domain.operations), ...internalOperations];

/** Codes of the contract whose endpoints are still to come: shorten the list as they do. */
const codesToCome: ReadonlySet<ErrorCode> = new Set([
  'invalid_cursor',
  'duplicate_axis_code',
  'duplicate_axis_value',
  'axis_in_use',
  'value_in_use',
  'stock_version_conflict',
  'rejected_stale',
  'no_axes_selected',
  'variant_cap_exceeded',
  'date_range_too_large',
  'analytics_unavailable',
]);

describe('the error codes', () => {
  it('are each answered by an operation, or by what reaches none, or are still to come', () => {
    const answered = new Set([...operations.flatMap(errorCodesOf), ...Object.keys(generalCodes)]);
    for (const code of allCodes) assert.ok(answered.has(code) || codesToCome.has(code), code);
  });

  it('come by status, each once', () => {
    const byStatus = codesByStatus(allCodes);
    const statuses = [...byStatus.keys()];
    assert.deepEqual(
      statuses,
      statuses.toSorted((a, b) => a - b),
    );
    assert.deepEqual([...byStatus.values()].flat().sort(), allCodes.toSorted());
  });

  it('never promise a scope error where every key is welcome', () => {
    for (const operation of operations) {
      const isForAll = operation.access === 'admin' || operation.access.length === 0;
      assert.equal(errorCodesOf(operation).includes('insufficient_scope'), !isForAll, operation.id);
    }
  });
});
