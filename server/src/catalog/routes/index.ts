import type { Operation } from '../../api/operation.ts';
import { getKeyStatus } from './get-key-status.ts';

export const statusOperations: readonly Operation[] = [getKeyStatus];
