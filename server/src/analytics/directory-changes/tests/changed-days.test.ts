// nightly: random changes, compared with a full pull
import { test } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { pullAfterEachStep, pullDuringSteps } from './changed-days.ts';

const apps = await createTestApps();

// [analytics-46] [analytics-47]
test('pulling the changed days gives the table that pulling all days gives, and needs every day', async () => {
  await pullAfterEachStep(apps, { runs: 2, steps: 10 });
});

test('no change is lost while days are aggregated and learners opt out and in', async () => {
  await pullDuringSteps(apps, { ms: 2_000, writers: 3 });
});
