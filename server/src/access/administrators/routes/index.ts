import type { Operation } from '../../../api/operation.ts';
import { createAdministratorOperation } from './create-administrator.ts';
import { deleteAdministratorOperation } from './delete-administrator.ts';
import { listAdministratorsOperation } from './list-administrators.ts';

export const administratorOperations: readonly Operation[] = [
  createAdministratorOperation, // POST   /administrators
  listAdministratorsOperation, //  GET    /administrators
  deleteAdministratorOperation, // DELETE /administrators/:id
];
