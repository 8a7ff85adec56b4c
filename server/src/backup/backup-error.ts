/** A backup or restore that cannot be done; the message tells the operator why and what to do. */
export class BackupError extends Error {}
