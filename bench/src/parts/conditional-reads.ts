import { type Load, loadConnections, perSecond, rate, warmUp } from '../bench-context.ts';
import { sampleProducts } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';
import { type Part, type Ratio, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';

const products = '/v1/client/catalog/products';

/** Compares polls of unchanged data with the same requests without `If-None-Match`. */
export const conditionalReads: Part = {
  name: 'polls',
  async run(context) {
    const { client, service, large, scale } = context;
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
      const poll: Load = { on: service.endpoint, requests: polls, expectedStatus: 304 };
      const read: Load = { on: service.endpoint, requests: plain };
      for (const load of [poll, read]) await warmUp(context, load);
      const compared = await compare(
        scale.rounds,
        () => rate(context, poll),
        () => rate(context, read),
      );
      return ratioOf(compared, {
        work,
        format: perSecond,
        yardstick: (value) => `full answers ${perSecond(value)}`,
        target: null,
      });
    };
    return [
      await compareOne('304 of a product detail', paths),
      await compareOne('304 of a list of 50', [`${products}?per_page=50`]),
    ];
  },
};
