import type { CommandEntry } from './command.ts';

/** The commands that use a service, by their group in the help. */
export const entries: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Profiles:': [
    {
      name: 'login',
      description: 'store a key or the admin token as a profile',
      load: () => import('./session/login.ts').then(({ defineLogin }) => defineLogin),
    },
    {
      name: 'logout',
      description: 'remove a profile from this machine',
      load: () => import('./session/profiles.ts').then(({ defineLogout }) => defineLogout),
    },
    {
      name: 'profiles',
      description: 'list the profiles; `profiles use` sets the default',
      load: () => import('./session/profiles.ts').then(({ defineProfiles }) => defineProfiles),
    },
    {
      name: 'whoami',
      description: 'show which profile, key and brand are used, and why',
      load: () => import('./session/whoami.ts').then(({ defineWhoami }) => defineWhoami),
    },
    {
      name: 'completion',
      description: 'print a script that completes command lines, for bash, zsh or fish',
      load: () => import('./completion/completion.ts').then(({ defineCompletion }) => defineCompletion),
    },
  ],
  'With an API key:': [
    {
      name: 'status',
      description: 'show the scopes of the key, its limits, and the days of the datasets',
      load: () => import('./session/status.ts').then(({ defineStatus }) => defineStatus),
    },
    {
      name: 'pull',
      description: 'bring Parquet or CSV files or a PostgreSQL schema up to date with the datasets',
      load: () => import('./pull.ts').then(({ definePull }) => definePull),
    },
    {
      name: 'tap',
      description: 'send the datasets to a Singer target',
      load: () => import('./tap.ts').then(({ defineTap }) => defineTap),
    },
    {
      name: 'sync',
      description: 'bring the catalog to the state of files: sync plan, then sync apply',
      load: () => import('./sync/sync.ts').then(({ defineSync }) => defineSync),
    },
    {
      name: 'feed',
      description: 'stock feeds: examine a file, send it, wait, report, send failed lines again',
      load: () => import('./feed/feed.ts').then(({ defineFeed }) => defineFeed),
    },
    {
      name: 'changes',
      description: 'write the products that changed, and continue where the last run ended',
      load: () => import('./changes/follow-changes.ts').then(({ defineChanges }) => defineChanges),
    },
    {
      name: 'products',
      description: 'list, show and export products',
      load: () => import('./products/index.ts').then(({ defineProducts }) => defineProducts),
    },
    {
      name: 'stock',
      description: 'list, follow, set and explain stock',
      load: () => import('./stock/index.ts').then(({ defineStock }) => defineStock),
    },
  ],
  'With the admin token:': [
    {
      name: 'overview',
      description: 'show what needs attention: feeds, jobs, datasets, keys, limits, databases',
      load: () => import('./overview/overview.ts').then(({ defineOverview }) => defineOverview),
    },
    {
      name: 'brands',
      description: 'list, create and change brands',
      load: () => import('./brands/index.ts').then(({ defineBrands }) => defineBrands),
    },
    {
      name: 'keys',
      description: 'issue, hand over, revoke and watch API keys',
      load: () => import('./keys/index.ts').then(({ defineKeys }) => defineKeys),
    },
    {
      name: 'feed-tokens',
      description: 'the tokens of the legacy feed path',
      load: () => import('./feed-tokens/index.ts').then(({ defineFeedTokens }) => defineFeedTokens),
    },
    {
      name: 'feeds',
      description: 'the stock feeds of a brand',
      load: () => import('./feeds/index.ts').then(({ defineFeeds }) => defineFeeds),
    },
    {
      name: 'jobs',
      description: 'background jobs',
      load: () => import('./jobs/index.ts').then(({ defineJobs }) => defineJobs),
    },
    {
      name: 'datasets',
      description: 'aggregated days',
      load: () => import('./datasets/index.ts').then(({ defineDatasets }) => defineDatasets),
    },
    {
      name: 'learners',
      description: 'exclude, include and erase learners',
      load: () => import('./learners/index.ts').then(({ defineLearners }) => defineLearners),
    },
    {
      name: 'refusals',
      description: 'list the requests of keys that were refused or failed, and why',
      load: () => import('./requests/refusals.ts').then(({ defineRefusals }) => defineRefusals),
    },
    {
      name: 'request',
      description: 'show what the request with an X-Request-Id wrote, or why it was refused',
      load: () => import('./requests/request.ts').then(({ defineRequest }) => defineRequest),
    },
    {
      name: 'limits',
      description: 'show the rate limits of a brand and its keys, and what is used of them; set their own',
      load: () => import('./limits/limits.ts').then(({ defineLimits }) => defineLimits),
    },
    {
      name: 'audit',
      description: 'list who changed what',
      load: () => import('./audit/index.ts').then(({ defineAudit }) => defineAudit),
    },
  ],
};
