import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, ApiResponse } from '../../../../test/support/api-client.ts';
import { type Axes, newParent, ok, selecting } from '../../tests/new-axes.ts';

/** Creates a product for one round of a race, and the requests that may be sent to it. */
export async function racer(client: ApiClient, axes: Axes) {
  const { tu_id, sku } = await newParent(client, axes);
  const path = `/catalog/products/${tu_id}`;
  return {
    tuId: tu_id as string,
    sku: sku as string,
    /** The product's SKU makes the variant's SKU unique. */
    create: (suffix: string, axis_values: object) =>
      client.create(`${path}/variants`, { sku: `${sku}-${suffix}`, axis_values }),
    generate: (body?: object) => client.create(`${path}/variants/generate`, body),
    select: (to: Axes) => client.put(`${path}/axes`, selecting(to)),
    patch: (body: object) => client.patch(path, body),
    detail: () => ok(client.get(path)),
    list: () => ok(client.get(`${path}/variants?per_page=200`)),
  };
}

export const worked = ({ status }: ApiResponse) => status < 300;

/** Returns the number of different combinations of the variants. */
export function combinationsOf(variants: readonly { axis_values: Record<string, string> }[]): number {
  return new Set(variants.map(({ axis_values }) => JSON.stringify(axis_values))).size;
}

export async function repeat(times: number, round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < times; index += 1) await round(index);
}

type Send = () => Promise<ApiResponse>;

/**
 * Sends two requests concurrently, with a head start of 0 to 12 ms and the second one first in every other round, so
 * that they meet at different points: one of them may need an additional round trip. Exactly one of them may succeed in
 * a round, and over the rounds each must succeed at least once; `check` receives both responses.
 */
export async function contest(
  times: number,
  round: (index: number) => Promise<[one: Send, other: Send]>,
  check: (one: ApiResponse, other: ApiResponse) => void | Promise<void>,
): Promise<void> {
  let wonByOne = 0;
  await repeat(times, async (index) => {
    const [one, other] = await round(index);
    const swapped = index % 2 === 1;
    const leading = (swapped ? other : one)();
    const headStart = (Math.floor(index / 2) % 4) * 4;
    if (headStart > 0) await sleep(headStart);
    const [first, second] = await Promise.all([leading, (swapped ? one : other)()]);
    const [answer, otherAnswer] = swapped ? [second, first] : [first, second];
    const winners = [answer, otherAnswer].filter(worked).length;
    assert.equal(winners, 1, `${answer.text} ${otherAnswer.text}`);
    if (worked(answer)) wonByOne += 1;
    await check(answer, otherAnswer);
  });
  assert.ok(wonByOne > 0 && wonByOne < times, `${wonByOne} of ${times}`);
}
