import type pg from 'pg';

/** What a query of `pg` may do with the connection beneath, which its types leave out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `copy … from stdin` and sends what is given, without waiting for anything in between. */
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
