/** The database and the schema files of this version do not fit together. The message tells the operator what to do. */
export class MigrationError extends Error {}
