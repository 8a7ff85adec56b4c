import type { InternalOperations } from './generated/internal-wire.ts';
import { Resource } from './resource.ts';
import type { Api } from './transport/api.ts';

/** The operations of the internal surface. */
export type AdminApi = Api<InternalOperations>;

/** A group of its operations. */
export abstract class AdminResource extends Resource<AdminApi> {}
