/** The server that accepted the connection is a standby, or has not finished its recovery: it accepts no writes. */
export class RecoveringError extends Error {
  constructor() {
    super('the database server is in recovery: a standby, or a primary that is not promoted yet');
    this.name = 'RecoveringError';
  }
}

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
