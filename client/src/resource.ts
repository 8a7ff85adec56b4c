import type { InternalOperations } from './generated/internal-wire.ts';
import type { ClientOperations } from './generated/wire.ts';
import type { Api } from './transport/api.ts';

/** A group of operations. The API stays out of inspections. */
abstract class Resource<Api> {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  protected get api(): Api {
    return this.#api;
  }
}

/** The operations of the internal surface. */
export type AdminApi = Api<InternalOperations>;

/** A group of its operations. */
export abstract class AdminResource extends Resource<AdminApi> {}

/** The operations of the client API. */
export type ClientApi = Api<ClientOperations>;

/** A group of its operations. */
export abstract class ClientResource extends Resource<ClientApi> {}
