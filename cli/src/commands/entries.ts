import { adminGroup, clientGroup, type Define } from './command.ts';

/** A command of the first level. It is loaded only if the command line names it. */
type CommandEntry = readonly [name: string, description: string, load: () => Promise<Define>];

/** The commands that use a service, by their group in the help. */
export const entries: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Profiles:': [
    [
      'login',
      'store a key or the admin token as a profile',
      async () => (await import('./session.ts')).defineLogin,
    ],
    ['logout', 'remove a profile from this machine', async () => (await import('./session.ts')).defineLogout],
    [
      'profiles',
      'list the profiles; `profiles use` sets the default',
      async () => (await import('./session.ts')).defineProfiles,
    ],
    [
      'whoami',
      'show which profile, key and brand are used, and why',
      async () => (await import('./session.ts')).defineWhoami,
    ],
    [
      'completion',
      'print a script that completes command lines, for bash, zsh or fish',
      async () => (await import('./completion.ts')).defineCompletion,
    ],
  ],
  [clientGroup]: [
    [
      'status',
      'show the scopes of the key, its limits, and the days of the datasets',
      async () => (await import('./session.ts')).defineStatus,
    ],
    [
      'products',
      'list, show and export products',
      async () => (await import('./products.ts')).defineProducts,
    ],
    ['stock', 'list and set stock levels', async () => (await import('./stock.ts')).defineStock],
    [
      'sync',
      'bring the catalog to the state of files: compare, show, ask and write',
      async () => (await import('./sync.ts')).defineSync,
    ],
    [
      'feeds',
      'stock feeds: examine a file, send it, wait, report, send failed lines again',
      async () => (await import('./feeds.ts')).defineFeeds,
    ],
    [
      'changes',
      'write the products or the stock that changed, and continue where the last run ended',
      async () => (await import('./changes.ts')).defineChanges,
    ],
    [
      'pull',
      'bring Parquet or CSV files or a PostgreSQL schema up to date with the datasets',
      async () => (await import('./pull.ts')).definePull,
    ],
    ['tap', 'send the datasets to a Singer target', async () => (await import('./tap.ts')).defineTap],
  ],
  [adminGroup]: [
    [
      'overview',
      'show what needs attention: feeds, jobs, datasets, keys, limits, databases',
      async () => (await import('./overview.ts')).defineOverview,
    ],
    ['brands', 'list, create and change brands', async () => (await import('./brands.ts')).defineBrands],
    [
      'keys',
      'issue, hand over, revoke and watch API keys',
      async () => (await import('./keys.ts')).defineKeys,
    ],
    [
      'limits',
      'show the rate limits of a brand and its keys, and what is used of them; set their own',
      async () => (await import('./limits.ts')).defineLimits,
    ],
    [
      'requests',
      'list refused requests; show what a request wrote, or why it was refused',
      async () => (await import('./requests.ts')).defineRequests,
    ],
    ['audit', 'list who changed what', async () => (await import('./audit.ts')).defineAudit],
    ['jobs', 'background jobs', async () => (await import('./jobs.ts')).defineJobs],
    ['datasets', 'aggregated days', async () => (await import('./datasets.ts')).defineDatasets],
    [
      'learners',
      'exclude, include and erase learners',
      async () => (await import('./learners.ts')).defineLearners,
    ],
  ],
};
