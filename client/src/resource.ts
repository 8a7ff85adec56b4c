/** A group of operations. The API stays out of inspections. */
export abstract class Resource<Api> {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  protected get api(): Api {
    return this.#api;
  }
}
