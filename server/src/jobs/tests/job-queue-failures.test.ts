import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logLines } from '../../../test/support/log-capture.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { feedQueue } from '../../catalog/feeds/feed-operations.ts';

it('a failure of the job queue is in the log with its message, its SQLSTATE and its queue', async () => {
  const apps = await createTestApps({ runsJobs: true });
  logLines.take();
  await apps.sql('alter schema pgboss rename to pgboss_gone');
  try {
    const failure = await waitFor('a failure of the queue in the log', () => {
      // Makes a worker ask for jobs now.
      apps.context.jobs.wake(feedQueue);
      return logLines
        .take()
        .map((line) => JSON.parse(line))
        .find(({ msg, err }) => /job queue error/.test(msg) && err.queue !== undefined);
    });
    assert.match(failure.err.message, /pgboss/);
    assert.match(failure.err.code, /^(3F000|42P01)$/);
    assert.equal(typeof failure.err.queue, 'string');
    assert.match(failure.err.stack, /^\s+at /);
  } finally {
    await apps.sql('alter schema pgboss_gone rename to pgboss');
  }
});
