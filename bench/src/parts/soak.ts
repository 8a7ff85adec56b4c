import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchContext, loadConnections } from '../bench-context.ts';
import { sampleProducts } from '../data/catalog-data.ts';
import { measureLoad } from '../load/measure-load.ts';
import { adjustRequests } from '../loads/write-loads.ts';
import type { Part } from '../part.ts';
import { median } from '../rounds.ts';

/** The share of the memory samples at the start and at the end whose medians are compared. */
const edge = 0.2;

/**
 * Mixes reads, lists, adjustments and replays for ten minutes after all other parts, and measures whether the process
 * grows. Memory is the resident size, including code.
 */
export const soak: Part = {
  name: 'soak',
  async run(context) {
    const { service, scale } = context;
    const requests = await mixedRequests(context);
    const samples: number[] = [];
    let isDone = false;
    const load = measureLoad(service.endpoint, {
      connections: loadConnections,
      seconds: scale.soakSeconds,
      requests,
      expectedStatus: 200,
    }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await Promise.race([load, sleep(Math.min(2_000, scale.soakSeconds * 100))]);
      samples.push((await service.readVitals()).residentMb);
    }
    const { requestsPerSecond, p99, cpu } = await load;
    const size = Math.max(1, Math.floor(samples.length * edge));
    const first = median(samples.slice(0, size));
    const last = median(samples.slice(-size));
    const most = Math.max(...samples);
    const name = `soak of ${scale.soakSeconds} s at ${Math.round(requestsPerSecond)} req/s, p99 ${Math.round(p99)} ms`;
    return [
      {
        work: `${name}: most memory`,
        measured: `${Math.round(most)} MB`,
        yardstick: '220 MB',
        ratio: most / 220,
        rounds: [],
        target: { atMost: 1 },
        cpu: { measured: cpu, yardstick: null },
      },
      {
        work: `${name}: memory in its last fifth against its first`,
        measured: `${Math.round(last)} MB`,
        yardstick: `${Math.round(first)} MB`,
        ratio: last / first,
        rounds: [],
        target: { atMost: 1.05 },
      },
    ];
  },
};

async function mixedRequests(context: BenchContext) {
  const { client, large, small } = context;
  const products = '/v1/client/catalog/products';
  const tuIds = await sampleProducts(client, large, 1_600, true);
  const adjustments = await adjustRequests(context, large, 1_600);
  return tuIds.flatMap((tuId, n) => [
    { path: `${products}/${tuId}`, headers: large.headers },
    { path: `${products}?page=${1 + (n % 40)}`, headers: n % 2 === 0 ? large.headers : small.headers },
    ...adjustments.slice(n, n + 1),
  ]);
}
