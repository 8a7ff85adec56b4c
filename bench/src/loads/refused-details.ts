import { type Load, loadConnections, type Subject } from '../bench-context.ts';
import { detailLoads } from './read-loads.ts';

/**
 * Reads details of which every second one is refused with 404, on each connection in turn: what keeping refusals costs
 * [D250].
 */
export async function refusedDetailLoad(subject: Subject): Promise<Load> {
  const { on, requests } = (await detailLoads(subject)).repeatedly;
  const mixed = requests.flatMap((_, index) => {
    const block = requests.slice(index, index + loadConnections);
    if (index % loadConnections !== 0) return [];
    return [...block, ...block.map((one) => ({ ...one, path: `${one.path}-none` }))];
  });
  return { on, requests: mixed, expectedStatus: [200, 404] };
}
