import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { type BenchContext, loadConnections } from '../bench-context.ts';
import { makeBrand, sampleProducts } from '../data/catalog-data.ts';
import { cpuTimeOf, cpuTimeOfChildren } from '../load/cpu-time.ts';
import type { LoadSpec } from '../load/load-spec.ts';
import { runLoad } from '../load/run-load.ts';
import type { Part, Ratio } from '../part.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';
import { createRequest } from './product-create.ts';
import { adjustRequests } from './stock-adjust.ts';

type Work = Pick<LoadSpec, 'url' | 'requests'> & Partial<LoadSpec> & { readonly name: string };

/**
 * Measures the processor time of one request, in microseconds, in the server's process and in PostgreSQL's, at 32
 * connections. Processor time excludes other processes, so these figures vary less than rates on a busy machine.
 */
export const costs: Part = {
  name: 'costs',
  async run(context) {
    const { client, service, thin, large, scale } = context;
    const products = '/v1/client/catalog/products';
    const tuIds = await sampleProducts(client, large, 3_200, true);
    const creators = await Promise.all(
      Array.from({ length: loadConnections }, (_, n) => makeBrand(service, `Cost ${n}`)),
    );
    const ours = { url: service.clientUrl };
    const details = tuIds.map((tuId) => ({ path: `${products}/${tuId}`, headers: large.headers }));
    const bytes = Math.round(
      (await runLoad({ ...ours, requests: details, ...short(context) })).bytesPerAnswer,
    );
    const works: Work[] = [
      {
        name: `ready body of ${bytes} bytes, same framework`,
        url: thin.url,
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
        url: thin.url,
        requests: tuIds.map((tuId) => ({ path: `/detail/${large.brandId}/${tuId}` })),
      },
      { name: 'list of 50', ...ours, requests: [{ path: products, headers: large.headers }] },
      {
        name: 'list of 50 of the thin server',
        url: thin.url,
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
    for (const work of works) {
      await runLoad({ ...short(context), ...work });
      const pid = work.url === thin.url ? thin.pid : service.pid;
      ratios.push(
        await costOf(
          context,
          work.name,
          pid,
          async () => (await runLoad({ ...short(context), ...work })).answers,
        ),
      );
    }
    const updates = await openDurableUpdates(
      context.postgres.address,
      loadConnections,
      scale.largeProducts * 2,
    );
    const seconds = scale.roundSeconds;
    ratios.push(
      await costOf(
        context,
        'durable one-row update through the driver',
        process.pid,
        async () => (await updates.rate(seconds)) * seconds,
      ),
    );
    await updates.close();
    return ratios;
  },
};

const short = ({ scale }: BenchContext) => ({
  connections: loadConnections,
  seconds: scale.roundSeconds,
  expectedStatus: 200,
});

async function costOf(
  context: BenchContext,
  work: string,
  pid: number,
  run: () => Promise<number>,
): Promise<Ratio> {
  const postmaster = Number(
    (await readFile(join(context.dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  );
  const [node, backends] = [await cpuTimeOf(pid), await cpuTimeOfChildren(postmaster)];
  const count = await run();
  const inNode = ((await cpuTimeOf(pid)) - node) / count;
  let inPostgres = 0;
  for (const [backend, time] of await cpuTimeOfChildren(postmaster))
    inPostgres += time - (backends.get(backend) ?? 0);
  const microseconds = (ms: number) => `${Math.round(ms * 1000).toLocaleString('en-US')} µs`;
  return {
    work: `processor time of ${work}`,
    measured: `${microseconds(inNode)} in Node`,
    yardstick: `${microseconds(inPostgres / count)} in PostgreSQL`,
    ratio: (inPostgres / count + inNode) * 1000,
    rounds: [],
    target: null,
  };
}
