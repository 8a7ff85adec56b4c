import type { ClientOperations } from './generated/wire.ts';
import type { Api } from './transport/api.ts';

/** The operations of the client API. */
export type ClientApi = Api<ClientOperations>;
