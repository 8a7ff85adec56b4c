import { type Load, loadConnections, perSecond, rate } from '../bench-context.ts';
import { detailLoads } from '../loads/read-loads.ts';
import { adjustLoads } from '../loads/write-loads.ts';
import { type Part, type Ratio, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';

/** The processes of the comparison: as many as a small platform runs for rolling restarts, and more than there are cores. */
const processes = 4;

/** Four processes on one database, each with a quarter of the connections, compared with one process that has all. */
export const severalProcesses: Part = {
  name: 'processes',
  async run(context) {
    const { service, scale } = context;
    const others = await Promise.all(Array.from({ length: processes - 1 }, () => context.startProcess()));
    const endpoints = [service, ...others].map(({ endpoint }) => endpoint);
    const connections = loadConnections / processes;
    const spread = async (load: Load) => {
      const shares = endpoints.map((on, n) =>
        rate(context, { ...load, on, connections, requests: everyOther(load.requests, n) }),
      );
      return (await Promise.all(shares)).reduce((sum, { value }) => sum + value, 0);
    };
    const ratios: Ratio[] = [];
    const loads = [
      ['stock adjust, spread over 32 brands', (await adjustLoads(context)).manyBrands],
      ['product detail, read repeatedly', (await detailLoads(context)).repeatedly],
    ] as const;
    try {
      for (const [work, load] of loads) {
        for (const warm of [spread, (each: Load) => rate(context, each)]) await warm(load);
        const compared = await compare(
          scale.rounds,
          () => spread(load),
          async () => (await rate(context, load)).value,
        );
        ratios.push(
          ratioOf(compared, {
            work: `${work}, ${processes} processes`,
            format: perSecond,
            yardstick: (value) => `one process ${perSecond(value)}`,
            target: { atLeast: 0.7, why: 'a rolling restart on one machine does not halve it' },
          }),
        );
      }
    } finally {
      for (const other of others) await other.stop();
    }
    return ratios;
  },
};

/** The share of process `n` in requests that are spread over connections: those of its own brands. */
function everyOther<T>(requests: readonly T[], n: number): T[] {
  return requests.filter(
    (_, index) => Math.floor((index % loadConnections) / (loadConnections / processes)) === n,
  );
}
