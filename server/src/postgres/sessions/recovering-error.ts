/**
 * The server that accepted the connection is a standby, or has not finished its recovery. It counts as unavailable: it
 * accepts no writes, and its rows may be older than what the primary has acknowledged.
 */
export class RecoveringError extends Error {
  constructor() {
    super('the database server is in recovery: a standby, or a primary that is not promoted yet');
    this.name = 'RecoveringError';
  }
}
