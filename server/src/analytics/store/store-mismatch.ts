import { MigrationError } from '../../postgres/schema/schema-file.ts';

/** The settings name another engine or database than the one that has the events of this store. */
export class StoreMismatch extends MigrationError {}
