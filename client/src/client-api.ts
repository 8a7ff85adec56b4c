import type { ClientOperations } from './generated/wire.ts';
import { Resource } from './resource.ts';
import type { Api } from './transport/api.ts';

/** The operations of the client API. */
export type ClientApi = Api<ClientOperations>;

/** A group of its operations. */
export abstract class ClientResource extends Resource<ClientApi> {}
