/** The database does not fit the schema files of this version. The message is for the operator: what to do. */
export class MigrationError extends Error {}
