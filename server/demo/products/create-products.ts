import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import type { ApiResponse } from '../client/demo-client.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import { fieldDifferences, type ProductBody, type ServedProduct } from './product-body.ts';

/** A product that was sent, and the response. */
export interface CreatedProduct {
  readonly body: ProductBody;
  readonly answer: ApiResponse<ServedProduct>;
}

/** Creates every product; each response must have the data that was sent. */
export async function createProducts(
  run: DataSetRun,
  brand: DemoBrand,
  bodies: readonly ProductBody[],
): Promise<CreatedProduct[]> {
  return run.step(brand, 'create', bodies.length, async (step) => {
    const created: CreatedProduct[] = [];
    await shareOut(brand.clients, bodies, async (client, body, index) => {
      const answer = await create(client, body);
      created[index] = { body, answer };
      if (answer.status !== 201)
        step.differs(`${body.sku}: ${answer.status} ${answer.bytes.toString('utf8')}`);
      else for (const difference of fieldDifferences(body, answer.json)) step.differs(difference);
      step.advance();
    });
    return created;
  });
}

/** Sends every creation again unchanged; the responses must be replays, equal to the last byte. */
export async function resendProducts(
  run: DataSetRun,
  brand: DemoBrand,
  created: readonly CreatedProduct[],
): Promise<void> {
  await run.step(brand, 'send again', created.length, (step) =>
    shareOut(brand.clients, created, async (client, { body, answer }) => {
      compareReplay(step, body.sku, answer, await create(client, body));
      step.advance();
    }),
  );
}

/** The key describes the operation, so that a repetition, even by another run of the program, has the same key. */
async function create(client: BrandClient, body: ProductBody): Promise<ApiResponse<ServedProduct>> {
  const idempotencyKey = `create-product:${encodeURIComponent(body.sku)}`;
  const answer = await client.send((api, call) =>
    api.catalog.products.create(body, { ...call, idempotencyKey }),
  );
  return answer as ApiResponse<ServedProduct>;
}

function compareReplay(step: Step, sku: string, first: ApiResponse, again: ApiResponse): void {
  if (again.headers.get('idempotency-replayed') !== 'true')
    step.differs(`${sku}: sent again, answered ${again.status} without Idempotency-Replayed`);
  if (again.status !== first.status)
    step.differs(`${sku}: sent again, answered ${again.status}, at first ${first.status}`);
  const [type, firstType] = [again, first].map(({ headers }) => headers.get('content-type'));
  if (type !== firstType) step.differs(`${sku}: sent again, Content-Type ${type}, at first ${firstType}`);
  if (!again.bytes.equals(first.bytes))
    step.differs(`${sku}: sent again, the body is another: ${again.bytes.toString('utf8', 0, 200)}`);
}
