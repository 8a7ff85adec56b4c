import { type Load, loadConnections, perSecond, rate, warmUp } from '../bench-context.ts';
import { makeBrand, sampleProducts } from '../data/catalog-data.ts';
import { createLoad, createRequest } from '../loads/create-load.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';
import { openDurableUpdates } from '../yardsticks/durable-updates.ts';

const products = '/v1/client/catalog/products';

/** One writer for each of 32 brands. */
export const productCreate: Part = {
  name: 'create',
  async run(context) {
    const { scale } = context;
    const load = await createLoad(context);
    const updates = await openDurableUpdates(context.postgres, loadConnections, scale.largeProducts * 2);
    await warmUp(context, load);
    await updates.rate(scale.warmUpSeconds);
    const compared = await compare(
      scale.rounds,
      () => rate(context, load),
      () => updates.rate(scale.roundSeconds),
    );
    await updates.close();
    return [
      ratioOf(compared, {
        work: 'product create, 32 connections over 32 brands',
        format: perSecond,
        yardstick: (value) => `durable one-row updates ${perSecond(value, 'rows')}`,
        target: { atLeast: 0.3 },
      }),
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
    const replay: Load = { on: service.endpoint, requests: [request], expectedStatus: 201 };
    const tuIds = await sampleProducts(client, large, 3_200, true);
    const detail: Load = {
      on: service.endpoint,
      requests: tuIds.map((tuId) => ({ path: `${products}/${tuId}`, headers: large.headers })),
    };
    for (const load of [replay, detail]) await warmUp(context, load);
    const compared = await compare(
      scale.rounds,
      () => rate(context, replay),
      () => rate(context, detail),
    );
    return [
      ratioOf(compared, {
        work: 'idempotent replay of a creation',
        format: perSecond,
        yardstick: (value) => `product detail ${perSecond(value)}`,
        target: { atLeast: 0.7 },
      }),
    ];
  },
};
