import { loadConnections, perSecond, rate } from '../bench-context.ts';
import { makeBrand, sampleProducts } from '../data/catalog-data.ts';
import type { LoadRequest } from '../load/load-spec.ts';
import type { Part } from '../part.ts';
import { compare } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

const products = '/v1/client/catalog/products';

/** One writer for each of 32 brands. */
export const productCreate: Part = {
  name: 'create',
  async run(context) {
    const { service, scale } = context;
    const brands = await Promise.all(
      Array.from({ length: loadConnections }, (_, n) => makeBrand(service, `Create ${n}`)),
    );
    const load = {
      url: service.clientUrl,
      requests: brands.map(({ apiKey }) => createRequest(apiKey, '{{n}}')),
      expectedStatus: 201,
    };
    const updates = await openDurableUpdates(
      context.postgres.address,
      loadConnections,
      scale.largeProducts * 2,
    );
    await rate(context, { ...load, seconds: scale.warmUpSeconds });
    await updates.rate(scale.warmUpSeconds);
    const { a, b, ratio, rounds } = await compare(
      scale.rounds,
      () => rate(context, load),
      () => updates.rate(scale.roundSeconds),
    );
    await updates.close();
    return [
      {
        work: 'product create, 32 connections over 32 brands',
        measured: perSecond(a),
        yardstick: `durable one-row updates ${perSecond(b, 'rows')}`,
        ratio,
        rounds,
        target: { atLeast: 0.3 },
      },
    ];
  },
};

/** Repeats one creation: the stored response is returned and nothing is created. */
export const idempotentReplay: Part = {
  name: 'replay',
  async run(context) {
    const { client, service, large, scale } = context;
    const request = createRequest((await makeBrand(service, 'Replay')).apiKey, 'replayed');
    const first = await fetch(`${service.clientUrl}${request.path}`, {
      method: 'POST',
      headers: { ...request.headers },
      body: request.body as string,
    });
    if (first.status !== 201) throw new Error(await first.text());
    const replay = { url: service.clientUrl, requests: [request], expectedStatus: 201 };
    const tuIds = await sampleProducts(client, large, 3_200, true);
    const detail = {
      url: service.clientUrl,
      requests: tuIds.map((tuId) => ({ path: `${products}/${tuId}`, headers: large.headers })),
    };
    for (const load of [replay, detail]) await rate(context, { ...load, seconds: scale.warmUpSeconds });
    const { a, b, ratio, rounds } = await compare(
      scale.rounds,
      () => rate(context, replay),
      () => rate(context, detail),
    );
    return [
      {
        work: 'idempotent replay of a creation',
        measured: perSecond(a),
        yardstick: `product detail ${perSecond(b)}`,
        ratio,
        rounds,
        target: { atLeast: 0.7 },
      },
    ];
  },
};

/** `number` makes the product unique. */
export function createRequest(apiKey: string, number: string): LoadRequest {
  return {
    method: 'POST',
    path: products,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `create-${number}`,
    },
    body: JSON.stringify({
      sku: `NEW-${number}`,
      title: 'A new product',
      price_value: 12.5,
      is_active: true,
    }),
  };
}
