import type { Operation } from '../../api/operation.ts';
import { getCatalogStatusOperation } from './get-catalog-status.ts';

export const statusOperations: readonly Operation[] = [getCatalogStatusOperation];
