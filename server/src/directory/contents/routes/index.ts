import type { Operation } from '../../../api/operation.ts';
import { deleteContentOperation } from './delete-content.ts';
import { listContentsOperation } from './list-contents.ts';
import { putContentsOperation } from './put-contents.ts';

export const contentOperations: readonly Operation[] = [
  putContentsOperation,
  listContentsOperation,
  deleteContentOperation,
];
