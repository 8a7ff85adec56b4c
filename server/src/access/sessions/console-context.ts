import { operationKit, type ServiceContext } from '../../api/operation.ts';
import type { AdminToken } from '../authentication/admin-token.ts';

export interface ConsoleContext extends ServiceContext {
  readonly adminToken: AdminToken;
  /** The issuer of single sign-on; null: not configured. */
  readonly issuer: string | null;
}

export const { readOperation, writeOperation } = operationKit<ConsoleContext>();
