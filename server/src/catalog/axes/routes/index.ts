import type { Operation } from '../../../api/operation.ts';
import { createAxisOperation } from './create-axis.ts';
import { createAxisValueOperation } from './create-axis-value.ts';
import { deleteAxisOperation } from './delete-axis.ts';
import { deleteAxisValueOperation } from './delete-axis-value.ts';
import { listAxesOperation } from './list-axes.ts';
import { updateAxisOperation } from './update-axis.ts';
import { updateAxisValueOperation } from './update-axis-value.ts';

export const axisOperations: readonly Operation[] = [
  listAxesOperation, //        GET    /axes
  createAxisOperation, //      POST   /axes
  updateAxisOperation, //      PATCH  /axes/:code
  deleteAxisOperation, //      DELETE /axes/:code
  createAxisValueOperation, // POST   /axes/:code/values
  updateAxisValueOperation, // PATCH  /axes/:code/values/:value
  deleteAxisValueOperation, // DELETE /axes/:code/values/:value
];
