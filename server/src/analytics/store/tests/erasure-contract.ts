import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import {
  aggregate,
  erasing,
  eventOn,
  listEngagement,
  listLearnerDays,
  readAll,
} from '../../tests/store-samples.ts';
import type { LearningEvent } from '../engine.ts';
import type { StoreUnderTest } from './analytics-store-contract.ts';

const day = { from: '2026-01-01', to: '2026-01-01' };

export function describeErasure({ store, newBrandId }: StoreUnderTest): void {
  describe('erasing a learner during intake', () => {
    // [analytics-32] [D17] [D194]
    it('leaves nothing of what was acknowledged before, and everything that came afterwards', async () => {
      const brandId = newBrandId();
      const acknowledged = new Set<number>();
      const sent: LearningEvent[] = [];
      let isSending = true;
      let last = 0;
      // Each number is a content with one view of the learner who is erased, and one of another.
      const send = async () => {
        while (isSending) {
          last += 1;
          const number = last;
          const [erased, kept] = [1, 2].map((learnerId) =>
            eventOn(day.from, { learnerId, contentRefId: number }),
          ) as [LearningEvent, LearningEvent];
          sent.push(erased);
          await store.appendEvents(brandId, [erased, kept]);
          acknowledged.add(number);
        }
      };
      const sending = Promise.all([1, 2, 3].map(send));
      await waitFor('events', () => acknowledged.size >= 10);
      await aggregate(store, brandId, day);
      const before = new Set(acknowledged);
      // Each of them is another chance of meeting an event on its way.
      for (let erasure = 1; erasure <= 5; erasure += 1) await store.eraseLearner(brandId, 1, erasing);
      const after = last;
      assert.ok(!(await learnersOf(brandId)).includes(1), 'a row of the learner is left');
      await waitFor('more events', () => acknowledged.size >= before.size + 10);
      isSending = false;
      await sending;

      await aggregate(store, brandId, day);
      const numbers = (await listEngagement(store, brandId, { learnerId: 1 })).map(
        ({ contentRefId, views }) => {
          assert.equal(views, 1);
          return contentRefId;
        },
      );
      assert.deepEqual(
        numbers.filter((number) => before.has(number)),
        [],
      );
      for (let number = after + 1; number <= last; number += 1)
        assert.ok(numbers.includes(number), `${number} is lost`);
      const { daily } = await readAll(store, brandId);
      assert.equal(daily[0]?.totals.views, last + numbers.length);
      // Claims went with their events: what was erased can be stored again, and nothing else.
      const again = await store.appendEvents(brandId, sent);
      assert.deepEqual(again, {
        accepted: last - numbers.length,
        duplicates: numbers.length,
        keptSince: null,
      });
      // A row of the day, and one for each content.
      const counts = { events: last, rows: numbers.length === 0 ? 0 : numbers.length + 1 };
      assert.deepEqual(await store.eraseLearner(brandId, 1, erasing), counts);
      assert.deepEqual(await learnersOf(brandId), [2]);
      assert.equal((await store.appendEvents(brandId, sent)).accepted, last);
    });
  });

  async function learnersOf(brandId: number): Promise<number[]> {
    return [...new Set((await listLearnerDays(store, brandId)).map(({ learnerId }) => learnerId))];
  }
}
