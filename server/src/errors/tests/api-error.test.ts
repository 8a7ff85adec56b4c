import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, invalidField, notFound } from '../api-error.ts';
import { errorCatalogue } from '../error-catalogue.ts';

describe('an error for the client', () => {
  // [platform-16]
  it('has the status and the message of its code in the catalogue', () => {
    const error = new ApiError('duplicate_sku');
    assert.equal(error.status, 409);
    assert.deepEqual(error.toBody(), { code: 'duplicate_sku', message: 'The SKU is already in use.' });
  });

  // [platform-15]
  it('carries messages by field and additional keys', () => {
    assert.deepEqual(invalidField('axes.0.code', 'is required').toBody(), {
      code: 'validation_failed',
      message: 'The request is not valid.',
      errors: { 'axes.0.code': ['is required'] },
    });
    const error = new ApiError('stock_version_conflict', { extra: { current_quantity: 7 } });
    assert.deepEqual(error.toBody(), {
      code: 'stock_version_conflict',
      message: 'The stock level does not match expected_quantity.',
      current_quantity: 7,
    });
  });

  it('shows nothing else of itself', () => {
    const error = notFound();
    error.stack = 'Error: at secret-place.ts:1';
    assert.deepEqual(Object.keys(error.toBody()), ['code', 'message']);
  });
});

describe('the catalogue', () => {
  for (const [code, { status, message, cause, fix, retry }] of Object.entries(errorCatalogue))
    it(`says of ${code} what it means and whether a retry is safe`, () => {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/);
      assert.ok(status >= 400 && status <= 599);
      for (const text of [message, cause, fix, retry]) assert.match(text, /^[A-Z`].+[.)]$/s);
    });
});
