import { compareLoads, compareWrites } from '../compare-loads.ts';
import { makeBrand } from '../data/catalog-data.ts';
import { repeatedDetails } from '../loads/read-loads.ts';
import { changeLoad, createLoad, createRequest } from '../loads/write-loads.ts';
import type { Part } from '../part.ts';

/** One writer for each of 32 brands. */
export const productCreate: Part = {
  name: 'create',
  run: async (context) =>
    compareWrites(context, [
      {
        work: 'product create, 32 connections over 32 brands',
        load: await createLoad(context),
        target: { atLeast: 0.3 },
      },
    ]),
};

/** One writer for each of 32 brands. */
export const productChange: Part = {
  name: 'change',
  run: async (context) =>
    compareWrites(context, [
      {
        work: 'product change, 32 connections over 32 brands',
        load: await changeLoad(context),
        target: null,
      },
    ]),
};

/** Repeats one creation: the stored response is returned and nothing is created. */
export const idempotentReplay: Part = {
  name: 'replay',
  async run(context) {
    const { service } = context;
    const request = createRequest((await makeBrand(service, 'Replay')).apiKey, 'replayed');
    const first = await fetch(`${service.clientUrl}${request.path}`, {
      method: 'POST',
      headers: { ...request.headers },
      body: request.body as string,
    });
    if (first.status !== 201) throw new Error(await first.text());
    const replay = { on: service.endpoint, requests: [request], expectedStatus: 201 };
    const detail = await repeatedDetails(context);
    return [
      await compareLoads(context, {
        work: 'idempotent replay of a creation',
        loads: () => [replay, detail],
        yardstick: 'product detail',
        target: { atLeast: 0.7 },
      }),
    ];
  },
};
