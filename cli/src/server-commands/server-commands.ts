/** The commands of the server and their descriptions, in the order of its help. */
export const serverCommands: readonly (readonly [name: string, description: string])[] = [
  ['serve', 'serve both listeners (the default)'],
  ['migrate', 'migrate the databases to the latest schema, then exit; the embedded one must not be in use'],
  ['aggregate', 'aggregate learning analytics: the pending days, like the nightly run, or the given days'],
  ['doctor', 'recompute all derived figures and report mismatches; safe while the server is running'],
  ['backup', 'write all data to a file, as one moment sees it; safe while the server is running'],
  ['restore', 'fill an empty database from a backup; no server may be running on it'],
  ['move-to', 'copy all data of the embedded database to your PostgreSQL, and run the doctor on it'],
  ['retain', 'drop data that is older than it is kept, like the daily job; safe while the server is running'],
  ['usage', 'show what tables and brands occupy, how fast they grow and what retention would free'],
  [
    'support',
    'write a bundle for somebody who looks into a problem, without secrets; safe while the server is running',
  ],
  ['analytics', 'move the analytics store'],
  ['brand', 'administer brands, and move them from cell to cell'],
  ['key', 'administer API keys'],
  ['sandbox', 'serve a disposable brand to test an integration against, with faults on request'],
];
