import { MigrationError } from '../../postgres/schema/schema-file.ts';

/** A failure of the engine that keeps a store's rows outside of PostgreSQL. The message is a sentence for operators. */
export class StoreTrouble extends Error {
  /** True if the engine is unavailable, out of time or resources, or has no tables yet; false: it refused a statement. */
  readonly isUnavailable: boolean;

  constructor(message: string, isUnavailable: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreTrouble';
    this.isUnavailable = isUnavailable;
  }
}

/** The settings name another engine or database than the one that has the events of this store. */
export class StoreMismatch extends MigrationError {}
