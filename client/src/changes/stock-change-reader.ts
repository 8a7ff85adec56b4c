import type { StockLevelListed } from '../generated/wire.ts';
import type { ClientApi } from '../resource.ts';
import type { CallOptions } from '../transport/client-options.ts';
import type { Checkpoint, StockCheckpoint } from './change-state.ts';
import { type ChangeBatch, type ChangeReader, unlessSame } from './changes.ts';

const perPage = 200;

/** Reads the stock levels that changed. The service keeps the order: its token is the checkpoint. */
export class StockChangeReader implements ChangeReader<StockLevelListed, StockCheckpoint> {
  readonly start: StockCheckpoint = { token: 'start' };
  readonly #api: ClientApi;
  readonly #options: CallOptions;
  /** The last response without anything new. */
  #idle: { readonly token: string; readonly etag: string } | null = null;

  constructor(api: ClientApi, options: CallOptions) {
    this.#api = api;
    this.#options = options;
  }

  isOwn(checkpoint: Checkpoint): checkpoint is StockCheckpoint {
    return 'token' in checkpoint;
  }

  /** @throws ValidationFailed on `changed_after` for a token that is too old, or from before a restore */
  async next({ token }: StockCheckpoint): Promise<ChangeBatch<StockLevelListed, StockCheckpoint> | null> {
    const query = { changed_after: token, per_page: perPage };
    const etag = this.#idle?.token === token ? this.#idle.etag : undefined;
    const options = { ...this.#options, ...(etag !== undefined && { ifNoneMatch: etag }) };
    const answer = await unlessSame(this.#api.call('listStockLevels', [], { query }, options));
    if (answer === null) return null;
    const { data: items, meta } = answer.data;
    if (items.length > 0 || meta.changed_token !== token)
      return { items, checkpoint: { token: meta.changed_token } };
    if (answer.etag !== null) this.#idle = { token, etag: answer.etag };
    return null;
  }
}
