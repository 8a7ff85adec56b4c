import { type Load, loadConnections, measure, rate, warmUp } from '../bench-context.ts';
import { detailLoads, thinDetailLoads } from '../loads/read-loads.ts';
import { adjustRequests, createLoad } from '../loads/write-loads.ts';
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
    const { service, thin, large, scale, postgres } = context;
    const ours = { on: service.endpoint };
    const details = (await detailLoads(context)).repeatedly;
    const { bytesPerAnswer } = await measure(context, { ...details, seconds: scale.warmUpSeconds });
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
      { name: 'product detail', ...details },
      {
        name: 'product detail of the thin server',
        ...(await thinDetailLoads(context)).repeatedly,
      },
      {
        name: 'list of 50',
        ...ours,
        requests: [{ path: '/v1/client/catalog/products', headers: large.headers }],
      },
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
      { name: 'product create', ...(await createLoad(context)) },
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
