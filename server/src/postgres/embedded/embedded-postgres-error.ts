/** A reason why the embedded PostgreSQL cannot serve, told to the operator: what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
