import type { Hooks } from '@brandport/client';

/** Returns hooks that call `announce` before the first write of a client, and report names that the service ignored. */
export function announcedHooks(announce: () => void, tell: (text: string) => void): Hooks {
  let isAnnounced = false;
  return {
    onRequest: ({ method }) => {
      if (isAnnounced || method === 'GET') return;
      isAnnounced = true;
      announce();
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
