import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeFailure, exitCodes } from '../src/errors.ts';

// [D145]
it('an unexpected failure is its message, without a stack trace', () => {
  const { signal } = new AbortController();
  for (const error of [new TypeError('no such thing'), new Error('no such thing')])
    assert.deepEqual(describeFailure(error, { signal, resumeSentence: '' }), {
      exitCode: exitCodes.failed,
      message: 'error: no such thing',
    });
});
