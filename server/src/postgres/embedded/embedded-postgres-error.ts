/** The embedded PostgreSQL cannot run. The message is for the operator: what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
