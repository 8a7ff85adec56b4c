/**
 * A separate process for tests: takes `{ redisUrl, parallel, brandId }` as JSON in its first argument, says
 * `ready` on standard output, and on the first byte of standard input sends that many reads at once with one key.
 * Then it prints `{ admitted, alarms }` and ends.
 */
import { once } from 'node:events';
import { defaultLimits } from '../../../../test/support/limits.ts';
import { createRateLimits } from '../rate-limits.ts';
import { productionTiming } from '../window-counter.ts';

const { redisUrl, parallel, brandId } = JSON.parse(process.argv[2] ?? '{}');
const alarms: string[] = [];
const limits = await createRateLimits(
  {
    configured: defaultLimits,
    redisUrl,
    log: (level, message) => alarms.push(`${level}: ${message}`),
  },
  { ...productionTiming, answerLimitMs: 5_000, connectLimitMs: 10_000 },
);
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const request = { domain: 'catalog', keyId: 'contended', brandId, isRead: true } as const;
const decisions = await Promise.all(Array.from({ length: parallel }, () => limits.admitKey(request)));
const admitted = decisions.filter((decision) => decision?.deniedBy === null).length;
process.stdout.write(`${JSON.stringify({ admitted, alarms })}\n`);
await limits.close();
process.stdin.destroy();
