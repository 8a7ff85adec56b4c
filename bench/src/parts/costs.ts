import { type Load, loadConnections, rate, warmUp } from '../bench-context.ts';
import { makeBrand, sampleProducts } from '../data/catalog-data.ts';
import { measureLoad } from '../load/measure-load.ts';
import { adjustRequests } from '../loads/adjust-loads.ts';
import { createRequest } from '../loads/create-load.ts';
import type { Part, Ratio } from '../part.ts';
import type { Measured } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

type Work = Load & { readonly name: string };

/**
 * Measures the processor time of one request, in microseconds, in the server's process and in PostgreSQL's, at 32
 * connections. Processor time excludes other processes, so these figures vary less than rates on a busy machine.
 */
export const costs: Part = {
  name: 'costs',
  async run(context) {
    const { client, service, thin, large, scale, postgres } = context;
    const products = '/v1/client/catalog/products';
    const tuIds = await sampleProducts(client, large, 3_200, true);
    const creators = await Promise.all(
      Array.from({ length: loadConnections }, (_, n) => makeBrand(service, `Cost ${n}`)),
    );
    const ours = { on: service.endpoint };
    const details = tuIds.map((tuId) => ({ path: `${products}/${tuId}`, headers: large.headers }));
    const { bytesPerAnswer } = await measureLoad(service.endpoint, {
      connections: loadConnections,
      seconds: scale.warmUpSeconds,
      requests: details,
      expectedStatus: 200,
    });
    const bytes = Math.round(bytesPerAnswer);
    const works: Work[] = [
      {
        name: `ready body of ${bytes} bytes, same framework`,
        on: thin,
        requests: [{ path: `/ready/${bytes}` }],
      },
      {
        name: 'key status: a request with its key and nothing else',
        ...ours,
        requests: [{ path: '/v1/client/catalog/status', headers: large.headers }],
      },
      { name: 'product detail', ...ours, requests: details },
      {
        name: 'product detail of the thin server',
        on: thin,
        requests: tuIds.map((tuId) => ({ path: `/detail/${large.brandId}/${tuId}` })),
      },
      { name: 'list of 50', ...ours, requests: [{ path: products, headers: large.headers }] },
      {
        name: 'list of 50 of the thin server',
        on: thin,
        requests: [{ path: `/list/${large.brandId}` }],
      },
      {
        name: 'stock adjust',
        ...ours,
        requests: await adjustRequests(context, large, scale.name === 'full' ? 16_000 : 320),
      },
      {
        name: 'product create',
        ...ours,
        requests: creators.map(({ apiKey }) => createRequest(apiKey, '{{n}}')),
        expectedStatus: 201,
      },
    ];
    const ratios: Ratio[] = [];
    for (const { name, ...load } of works) {
      await warmUp(context, load);
      ratios.push(costOf(name, await rate(context, load)));
    }
    const updates = await openDurableUpdates(postgres, loadConnections, scale.largeProducts * 2);
    ratios.push(costOf('durable one-row update through the driver', await updates.rate(scale.roundSeconds)));
    await updates.close();
    return ratios;
  },
};

function costOf(work: string, { cpu }: Measured): Ratio {
  const inNode = cpu.server ?? cpu.generator;
  const microseconds = (value: number) => `${Math.round(value).toLocaleString('en-US')} µs`;
  return {
    work: `processor time of ${work}`,
    measured: `${microseconds(inNode)} in Node`,
    yardstick: `${microseconds(cpu.postgres)} in PostgreSQL`,
    ratio: inNode + cpu.postgres,
    rounds: [],
    target: null,
    cpu: { measured: cpu, yardstick: null },
  };
}
