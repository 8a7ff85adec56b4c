import type { Hooks } from '@brandport/client';
import { type Connection, describeConnection } from '../profiles/connection.ts';

/**
 * Returns hooks that write the profile, host and brand before the first write of a client, so that nobody changes the
 * wrong brand without seeing it, and report names that the service ignored.
 */
export function announcedHooks(connection: Connection, tell: (text: string) => void): Hooks {
  let isAnnounced = false;
  return {
    onRequest: ({ method }) => {
      if (isAnnounced || method === 'GET') return;
      isAnnounced = true;
      tell(`Writing as ${describeConnection(connection)}`);
    },
    onRetry: ({ error, waitMs }) => {
      if (waitMs >= 2_000) tell(`${error.message} Retrying in ${Math.round(waitMs / 1_000)} s.`);
    },
    onWarning: (warning) => {
      if (warning.kind === 'ignored_names')
        tell(`warning: the service ignored ${warning.names.map((name) => `'${name}'`).join(', ')}.`);
      else
        tell(
          `warning: the batch ${warning.batchId} was sent before with other lines; these lines are not applied.`,
        );
    },
  };
}
