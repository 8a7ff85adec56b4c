import { Type } from 'typebox';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { createAdministrator, deleteAdministrator } from './administrator-service.ts';
import { listAdministrators } from './administrator-store.ts';
import {
  AdministratorParams,
  AdministratorWire,
  administratorExample,
  administratorRequestFromWire,
  administratorToWire,
  CreateAdministratorBody,
  IssuedAdministratorWire,
  issuedAdministratorExample,
  issuedAdministratorToWire,
} from './administrator-wire.ts';

const createAdministratorOperation = writeOperation({
  id: 'createAdministrator',
  method: 'POST',
  path: '/administrators',
  tag: 'Administrators',
  summary: 'Create an administrator',
  description:
    'Creates a token for a person or a program, with a role. It is a bearer token of the internal surface, and browsers sign in with it. The complete token is returned only in this response. The role cannot be changed.',
  access: 'administrators',
  body: CreateAdministratorBody,
  bodyExample: { name: 'Ada, support', role: 'support', brand_ids: [1] },
  idempotency: 'optional',
  secretField: 'token',
  responses: {
    201: {
      description: 'The administrator with its token.',
      schema: IssuedAdministratorWire,
      example: issuedAdministratorExample,
    },
  },
  handle: async (tx, { body }, { clock }) => {
    const issued = await createAdministrator(tx, clock, administratorRequestFromWire(body));
    return { status: 201, body: issuedAdministratorToWire(issued) };
  },
});

const listAdministratorsOperation = readOperation({
  id: 'listAdministrators',
  method: 'GET',
  path: '/administrators',
  tag: 'Administrators',
  summary: 'List administrators',
  description: 'Lists all administrators that are not deleted, newest first, without their secrets.',
  access: 'administrators',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of administrators.',
      schema: listOf(AdministratorWire),
      example: exampleListOf(administratorExample),
    },
  },
  handle: async ({ database }, { query }) => {
    return pageReply(query, (page) => listAdministrators(database, page), administratorToWire);
  },
});

const deleteAdministratorOperation = writeOperation({
  id: 'deleteAdministrator',
  method: 'DELETE',
  path: '/administrators/:id',
  tag: 'Administrators',
  summary: 'Delete an administrator',
  description: 'Rejects the token and ends its sessions from now on. Its audit entries are kept.',
  access: 'administrators',
  params: AdministratorParams,
  responses: { 204: { description: 'The administrator was deleted.' } },
  handle: async (tx, { params }) => {
    await deleteAdministrator(tx, params.id);
    return { status: 204 };
  },
});

export const administratorOperations: readonly Operation[] = [
  createAdministratorOperation,
  listAdministratorsOperation,
  deleteAdministratorOperation,
];
