import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import {
  type Operation,
  operationKit,
  readOperation,
  type ServiceContext,
  unmanagedOperation,
  writeOperation,
} from '../operation.ts';

const description = {
  path: '/x',
  tag: 'X',
  summary: 'X',
  description: 'X',
  access: 'administrators',
} as const;
const Thing = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) });
const responses = { 200: { description: 'A thing.', schema: Thing }, 204: { description: 'Nothing.' } };

// The type checker is what tests here: it fails on an `@ts-expect-error` above a line that it accepts.
describe('the handler of an operation', () => {
  it('returns the statuses and bodies that are declared, and no others', () => {
    const read = { ...description, id: 'read', method: 'GET', responses } as const;
    const operations = [
      readOperation({ ...read, handle: async () => ({ status: 200, body: { id: 1, name: 'x' } }) }),
      readOperation({ ...read, handle: async () => ({ status: 204 }) }),
      // @ts-expect-error a status that is not declared
      readOperation({ ...read, handle: async () => ({ status: 201, body: { id: 1 } }) }),
      // @ts-expect-error a field of another type
      readOperation({ ...read, handle: async () => ({ status: 200, body: { id: '1' } }) }),
      // @ts-expect-error a field is missing
      readOperation({ ...read, handle: async () => ({ status: 200, body: { name: 'x' } }) }),
      // @ts-expect-error the body is missing
      readOperation({ ...read, handle: async () => ({ status: 200 }) }),
      // @ts-expect-error a body where none is declared
      readOperation({ ...read, handle: async () => ({ status: 204, body: {} }) }),
    ];
    assert.deepEqual(new Set(operations.map(({ kind }) => kind)), new Set(['read']));
  });

  it('reads with GET only', () => {
    const handle = async () => ({ status: 204 }) as const;
    const read = { ...description, id: 'read', responses, handle };
    // @ts-expect-error a read that could write
    const operation = readOperation({ ...read, method: 'POST' });
    assert.equal(operation.kind, 'read');
    assert.equal(unmanagedOperation({ ...read, method: 'POST' }).kind, 'unmanaged');
  });

  it('belongs to an operation that declares who may call it', () => {
    const { access: _, ...withoutAccess } = description;
    const read = { ...withoutAccess, id: 'read', method: 'GET', responses } as const;
    // @ts-expect-error no access is declared
    const operation = readOperation({ ...read, handle: async () => ({ status: 204 }) });
    assert.equal(operation.access, undefined);
  });

  it('gets the context of its domain, and runs only where that is given', () => {
    const domain = operationKit<ServiceContext & { readonly extra: string }>();
    const needsMore = domain.readOperation({
      ...description,
      id: 'extra',
      method: 'GET',
      responses,
      handle: async ({ extra }) => ({ status: 200, body: { id: 1, name: extra } }),
    });
    // @ts-expect-error it would run without `extra`
    const operations: Operation[] = [needsMore];
    // @ts-expect-error no such service
    readOperation({ ...description, id: 'x', method: 'GET', responses, handle: async ({ extra }) => extra });
    assert.equal(operations[0]?.kind, 'read');
  });

  it('gets path, query and body as their schemas describe them', () => {
    const operation = writeOperation({
      ...description,
      id: 'write',
      method: 'POST',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
      body: Thing,
      responses,
      handle: async (_tx, { params, query, body }) => {
        const limit: number | undefined = query.limit;
        // @ts-expect-error the id of a path is a string
        const id: number = params.id;
        // @ts-expect-error no such field
        return { status: 200, body: { id: id + (limit ?? 0), name: body.title } };
      },
    });
    assert.equal(operation.kind, 'write');
  });
});
