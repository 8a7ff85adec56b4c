/** Values that are looked at in a body, however large it is. */
const maxValues = 10_000;

export interface BodyFacts {
  readonly sku: string | null;
  readonly noisyPrice: number | null;
}

export const noFacts: BodyFacts = { sku: null, noisyPrice: null };

/** Returns the SKU of a body, and the first of its prices that has more than four decimal places. */
export function bodyFacts(body: unknown): BodyFacts {
  const sku = (body as { sku?: unknown } | null | undefined)?.sku;
  return { sku: typeof sku === 'string' ? sku : null, noisyPrice: findNoisyPrice(body) };
}

function findNoisyPrice(body: unknown): number | null {
  const waiting: [name: string, value: unknown][] = [['', body]];
  for (let seen = 0; seen < maxValues; seen += 1) {
    const [name, value] = waiting.pop() ?? ['', undefined];
    if (typeof value === 'number' && name.includes('price') && hasNoise(value)) return value;
    if (typeof value === 'object' && value !== null && waiting.length < maxValues)
      for (const entry of Object.entries(value).slice(0, maxValues)) waiting.push(entry);
    if (waiting.length === 0) return null;
  }
  return null;
}

const hasNoise = (value: number) => /\.\d{5,}$/.test(String(value));
