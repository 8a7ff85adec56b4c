import assert from 'node:assert/strict';
import { addDays, yesterdayOf } from '../../server/src/analytics/day.ts';
import { newSeededBrand, type SeededBrand } from '../../server/src/analytics/tests/seed.ts';
import type { TestApps } from '../../server/test/support/test-apps.ts';
import { type CliOptions, type CliOutcome, cli } from './cli-service.ts';
import { settle } from './pull-kit.ts';

/** A brand with three learners on three of the last four days, and a command line with its key. */
export interface PulledBrand extends SeededBrand {
  /** The first day with events, the days after it, the last one yesterday. */
  readonly days: readonly [string, string, string, string];
  run(args: readonly string[], options?: CliOptions): Promise<CliOutcome>;
  optOut(learner: string): Promise<void>;
  erase(learner: string): Promise<void>;
}

/** Creates the brand: quizzes whose mean is 49.5, an orphaned content, a day that is not aggregated. */
export async function newPulledBrand(apps: TestApps, clientUrl: string): Promise<PulledBrand> {
  const users = ['ada', 'bo', 'cy'];
  const brand = await newSeededBrand(apps, { users, contents: ['episode/c0', 'program/gone'] });
  const last = yesterdayOf(apps.clock.now());
  const days = [addDays(last, -3), addDays(last, -2), addDays(last, -1), last] as const;
  const onDay = (day: string, learners: readonly string[]) =>
    learners.flatMap((user) => [
      { day, user, xp_earned: 5, time_spent_seconds: 60 },
      { day, user, kind: 'quiz', score: 49, questions: 10, answered: 9 },
      { day, user, kind: 'quiz', score: 50 },
    ]);
  await brand.send([
    ...onDay(days[0], users),
    ...onDay(days[1], ['ada']),
    ...onDay(days[3], ['ada', 'bo']),
    { day: days[3], user: 'bo', type: 'program', content: 'gone' },
  ]);
  for (const day of [days[0], days[1], days[3]]) await brand.aggregate({ from: day, to: day });
  const remove = async (path: string) => {
    const { status, text } = await apps.admin.delete(`/brands/${brand.brandId}/${path}`);
    assert.equal(status, 204, text);
    await settle(apps, brand.brandId);
  };
  await remove('contents/program/gone');
  const env = { BRANDPORT_URL: clientUrl, BRANDPORT_API_KEY: brand.apiKey };
  return {
    ...brand,
    days,
    run: (args, options = {}) => cli(args, { ...options, env: { ...env, ...options.env } }),
    optOut: async (learner) => {
      await brand.put('users', [{ tu_id: learner, analytics_opt_out: true }]);
      await settle(apps, brand.brandId);
    },
    erase: (learner) => remove(`users/${learner}`),
  };
}
