import { loadConnections } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import { sampleProducts } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';
import type { Part, Ratio } from '../part.ts';

const products = '/v1/client/catalog/products';

/** Compares polls of unchanged data with the same requests without `If-None-Match`. */
export const conditionalReads: Part = {
  name: 'polls',
  async run(context) {
    const { client, service, large } = context;
    const paths = (await sampleProducts(client, large, loadConnections, true)).map(
      (tuId) => `${products}/${tuId}`,
    );
    const compareOne = async (work: string, of: readonly string[]): Promise<Ratio> => {
      const plain = of.map((path): LoadRequest => ({ path, headers: large.headers }));
      const polls = await Promise.all(
        of.map(async (path): Promise<LoadRequest> => {
          const response = await fetch(service.clientUrl + path, { headers: large.headers });
          await response.arrayBuffer();
          return { path, headers: { ...large.headers, 'if-none-match': response.headers.get('etag') ?? '' } };
        }),
      );
      const poll = { on: service.endpoint, requests: polls, expectedStatus: 304 };
      const read = { on: service.endpoint, requests: plain };
      return compareLoads(context, {
        work,
        loads: () => [poll, read],
        yardstick: 'full answers',
        target: null,
      });
    };
    return [
      await compareOne('304 of a product detail', paths),
      await compareOne('304 of a list of 50', [`${products}?per_page=50`]),
    ];
  },
};
