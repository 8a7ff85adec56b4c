import type { SessionConfig } from './session.ts';
import { SessionClient } from './session-client.ts';

/**
 * Opens a connection, which the caller closes. If it is lost, the next statement fails.
 * @throws RecoveringError, RefusedConnectionError; what `pg` throws when the server cannot be reached
 */
export async function openConnection(config: SessionConfig): Promise<SessionClient> {
  const client = new SessionClient(config);
  try {
    return await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
