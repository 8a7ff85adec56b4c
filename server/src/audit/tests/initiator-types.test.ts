import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unmanagedOperation, writeOperation } from '../../api/operation.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { recordAudit } from '../audit-store.ts';

const described = {
  id: 'x',
  method: 'PUT',
  path: '/x',
  tag: 'X',
  summary: 'X',
  description: 'X',
  responses: { 204: { description: 'Nothing.' } },
} as const;
const write = { ...described } as const;
const entry = { brandId: 1, resourceType: 'brand', resourceId: '1', details: {} };
const record = { ...entry, action: 'brand.update' } as const;
const done = { status: 204 } as const;
const handle = (tx: AuditedTransaction) => recordAudit(tx, record).then(() => done);

// The type checker is what tests here: it fails on an `@ts-expect-error` above a line that it accepts.
// [internal-54]
it('a transaction that writes audit entries names the initiator, on each operation with a caller', () => {
  const findBrandId = async () => 1;
  const accesses = [
    'administrators',
    'one-brand',
    'filtered-by-brand',
    'signed-in',
    { findBrandId },
  ] as const;
  const operations = accesses.map((access) => writeOperation({ ...write, access, handle }));
  unmanagedOperation({
    ...described,
    access: 'one-brand',
    handle: ({ database }, { initiator }) => database.auditedTransaction(initiator, handle),
  });
  unmanagedOperation({
    ...described,
    access: 'one-brand',
    // @ts-expect-error the transaction names no initiator
    handle: ({ database }) => database.transaction(handle),
  });
  // @ts-expect-error before a sign-in there is no caller
  writeOperation({ ...write, access: 'sign-in', handle });
  // @ts-expect-error nor where nobody needs to sign in
  writeOperation({ ...write, access: 'anyone', handle });
  // @ts-expect-error an API key is not audited
  writeOperation({ ...write, access: [], handle });
  // @ts-expect-error an API key is not audited
  unmanagedOperation({ ...described, access: [], handle: async (_context, { initiator }) => initiator });
  assert.equal(operations.length, accesses.length);
});
