import type { CommandEntry } from './command.ts';

/** The commands that use a service, by their group in the help. */
export const entries: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Profiles:': [
    {
      name: 'whoami',
      description: 'show which profile, key and brand are used, and why',
      load: () => import('./session/whoami.ts').then(({ defineWhoami }) => defineWhoami),
    },
  ],
  'With an API key:': [
    {
      name: 'status',
      description: 'show the scopes of the key, its limits, and the days of the datasets',
      load: () => import('./session/status.ts').then(({ defineStatus }) => defineStatus),
    },
    {
      name: 'sync',
      description: 'bring the catalog to the state of files: sync plan, then sync apply',
      load: () => import('./sync/sync.ts').then(({ defineSync }) => defineSync),
    },
  ],
};
