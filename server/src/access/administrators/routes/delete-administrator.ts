import { writeOperation } from '../../../api/operation.ts';
import { deleteAdministrator } from '../administrator-service.ts';
import { AdministratorParams } from '../administrator-wire.ts';

export const deleteAdministratorOperation = writeOperation({
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
