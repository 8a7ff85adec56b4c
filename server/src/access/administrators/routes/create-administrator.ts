import { writeOperation } from '../../../api/operation.ts';
import { createAdministrator } from '../administrator-service.ts';
import {
  administratorRequestFromWire,
  CreateAdministratorBody,
  IssuedAdministratorWire,
  issuedAdministratorExample,
  issuedAdministratorToWire,
} from '../administrator-wire.ts';

export const createAdministratorOperation = writeOperation({
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
