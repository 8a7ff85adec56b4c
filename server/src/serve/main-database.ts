import type { DatabaseAddress } from '../postgres/connection-options.ts';

export interface MainDatabase {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
  /** Stops the embedded PostgreSQL; nothing to do for one of the operator's own. */
  stop(): Promise<void>;
}
