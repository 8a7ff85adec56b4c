import type { DatabaseAddress } from '../postgres/connection-options.ts';

export interface MainDatabase {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
  /** Stops the embedded PostgreSQL; does nothing for an external one. */
  stop(): Promise<void>;
}
