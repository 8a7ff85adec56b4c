import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { TestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { settleDirectoryChanges } from '../settle-changes.ts';
import { LedgerClient, type PulledDay, pullTable } from './ledger-client.ts';
import { newStormedBrand, type StormedBrand, type StormStep, stormDays, stormStep } from './ledger-storm.ts';

interface Turn {
  readonly step: StormStep;
  /** True if the client also pulls between the step and the move of the revisions. */
  readonly pullsBefore: boolean;
}

/**
 * Runs random steps one after the other. After each, a client that pulls only the changed days has the table of one that
 * pulls all, and a day that it pulled without need was aggregated again.
 */
export async function pullAfterEachStep(
  apps: TestApps,
  { runs, steps }: { runs: number; steps: number },
): Promise<void> {
  const turn: fc.Arbitrary<Turn> = fc.record({ step: stormStep, pullsBefore: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: steps, maxLength: steps }), async (turns) => {
      const brand = await newActiveBrand(apps);
      const client = new LedgerClient(brand.client);
      await client.pull();
      for (const { step, pullsBefore } of turns) {
        await brand.run(step);
        if (pullsBefore) await client.pull();
        await settleDirectoryChanges(apps.context, brand.brandId, { whenBusy: 'wait' });
        const pulled = await client.pull();
        assert.deepEqual(client.table, await pullTable(brand.client, brand.range));
        if (!pullsBefore) for (const each of pulled) assertNeeded(each, step, brand);
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
}

/** A brand with an event of each learner with each content. */
async function newActiveBrand(apps: TestApps): Promise<StormedBrand> {
  const brand = await newStormedBrand(apps, addDays(yesterdayOf(apps.clock.now()), -1));
  await brand.run({ do: 'send', events: everyPair });
  await brand.aggregate(brand.range);
  return brand;
}

const everyPair = Array.from({ length: 16 }, (_, n) => ({
  user: n % 4,
  content: Math.floor(n / 4),
  day: n % stormDays,
  kind: 'view',
}));

function assertNeeded(
  { dataset, day, cause, differs }: PulledDay,
  step: StormStep,
  brand: StormedBrand,
): void {
  if (differs) return;
  const what = `${dataset} ${day} was listed as ${cause} after "${step.do}"`;
  // Rows that are not served move too: their running totals, and those of contents that are listed or not.
  const isHidden = brand.hidesRowsOf(dataset);
  const movesHidden = cause === 'corrected' || (cause === 'directory' && dataset === 'content_engagement');
  assert.ok((cause === 'aggregated' && step.do === 'aggregate') || (movesHidden && isHidden), what);
}

/** Runs several sequences of random steps at once, while a client pulls all the time and the revisions are moved. */
export async function pullDuringSteps(
  apps: TestApps,
  { ms, writers }: { ms: number; writers: number },
): Promise<void> {
  const brand = await newActiveBrand(apps);
  const client = new LedgerClient(brand.client);
  const end = performance.now() + ms;
  let isWriting = true;
  const write = async () => {
    while (performance.now() < end) for (const step of fc.sample(stormStep, 5)) await brand.run(step);
  };
  const read = async () => {
    for (; isWriting; await sleep(5)) await client.pull();
  };
  const settle = async () => {
    for (; isWriting; await sleep(5))
      await settleDirectoryChanges(apps.context, brand.brandId, { whenBusy: 'skip' });
  };
  const others = Promise.all([read(), settle()]);
  await Promise.all(Array.from({ length: writers }, write)).finally(() => {
    isWriting = false;
  });
  await others;
  await settleDirectoryChanges(apps.context, brand.brandId, { whenBusy: 'wait' });
  await client.pull();
  assert.deepEqual(client.table, await pullTable(brand.client, brand.range));
}
