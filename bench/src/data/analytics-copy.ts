import type pg from 'pg';

/** The part of the connection that a custom query of `pg` may use; its types omit it. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `copy … from stdin` and sends all pieces without waiting between them. */
export function copyIn(client: pg.Client, text: string, buffers: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    client.query({
      submit: (connection: unknown) => (connection as CopyConnection).query(text),
      handleCopyInResponse: (connection: CopyConnection) => {
        for (const buffer of buffers) connection.sendCopyFromChunk(buffer);
        connection.endCopyFrom();
      },
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error;
      },
      handleReadyForQuery: () => (failure === null ? resolve() : reject(failure)),
    } as pg.Submittable);
  });
}
