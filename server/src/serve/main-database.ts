import type { DatabaseAddress } from '../postgres/connection-options.ts';

export interface MainDatabase {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
  /** Set for the database of a server that runs on the data directory. */
  readonly isInUse?: boolean;
  /** Stops the embedded PostgreSQL; does nothing for an external one. */
  stop(): Promise<void>;
}
