import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { listAdministrators } from '../administrator-store.ts';
import { AdministratorWire, administratorExample, administratorToWire } from '../administrator-wire.ts';

export const listAdministratorsOperation = readOperation({
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
