import type { ApiClient, ApiResponse } from '../../../../test/support/api-client.ts';
import { counterAt } from '../../../../test/support/assert-refused.ts';
import type { TestApps } from '../../../../test/support/test-apps.ts';

export const products = '/catalog/products';

/** Returns the parts of a response that a replay must repeat. */
export function answered({ status, headers, text }: ApiResponse): object {
  return { status, text, type: headers['content-type'], length: headers['content-length'] };
}

/** Counts the requests with an Idempotency-Key that had this outcome. */
export function countOutcome({ metrics }: Pick<TestApps, 'metrics'>, outcome: string): Promise<number> {
  return counterAt(metrics, 'brandport_idempotency_total', { outcome });
}

/** Counts the products of the client's brand. */
export async function countProducts(client: ApiClient): Promise<number> {
  return (await client.get(products)).json.meta.total;
}
