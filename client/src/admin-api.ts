import type { InternalOperations } from './generated/internal-wire.ts';
import type { Api } from './transport/api.ts';

/** The operations of the internal surface. */
export type AdminApi = Api<InternalOperations>;
