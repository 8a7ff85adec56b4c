import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { chooseRequestId } from '../request-record.ts';

const idFor = (sent: string | undefined) =>
  chooseRequestId({ headers: { 'x-request-id': sent } } as unknown as IncomingMessage);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

// [platform-68]
describe('the id of a request', () => {
  for (const sent of ['a', 'order-7.retry_2', 'A'.repeat(128)])
    it(`is the client's own when that is ${sent.slice(0, 20)}`, () => assert.equal(idFor(sent), sent));

  for (const sent of [
    undefined,
    '',
    'A'.repeat(129),
    'with space',
    'a, b',
    'é',
    'a/b',
    'a\n',
    '"',
    '<script>',
    `tuk_${'a'.repeat(24)}.${'s'.repeat(40)}`,
    'cfk_secret',
  ])
    it(`is a new one when the client sends ${JSON.stringify(sent?.slice(0, 20))}`, () => {
      assert.match(idFor(sent), uuid);
      assert.notEqual(idFor(sent), idFor(sent));
    });
});
