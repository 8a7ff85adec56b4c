/**
 * The server was reached and no session was opened, for a reason that its operator has to remove: the login, the name of the
 * database, the certificate or the lack of TLS. For a request the database is unavailable; a start fails at once.
 */
export class RefusedConnectionError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'RefusedConnectionError';
  }
}
