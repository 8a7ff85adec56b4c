import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isInternal } from '../../../api/access.ts';
import { type ErrorCode, errorCatalogue } from '../../../errors/error-catalogue.ts';
import { clientDomains, internalGroups } from '../../operations.ts';
import { codesByStatus, errorCodesOf, generalCodes } from '../error-responses.ts';

const allCodes = Object.keys(errorCatalogue) as ErrorCode[];
const operations = [...clientDomains, ...internalGroups].flatMap((group) => group.operations);

describe('the error codes', () => {
  it('are each answered by an operation, or before one is reached', () => {
    const answered = new Set([...operations.flatMap(errorCodesOf), ...Object.keys(generalCodes)]);
    for (const code of allCodes) assert.ok(answered.has(code), code);
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
      const isForAll = isInternal(operation.access) || operation.access.length === 0;
      assert.equal(errorCodesOf(operation).includes('insufficient_scope'), !isForAll, operation.id);
    }
  });
});
