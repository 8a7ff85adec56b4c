export type Coding = 'br' | 'gzip';

export interface AcceptedCoding {
  /** null: the client accepts no offered coding, or prefers none. */
  readonly coding: Coding | null;
  /** True if `identity` is refused, so that a short body is compressed too. */
  readonly isRequired: boolean;
}

const none: AcceptedCoding = { coding: null, isRequired: false };
const element = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * Chooses the content coding that `Accept-Encoding` prefers (RFC 9110, 12.5.3): the largest weight; on a tie a named coding
 * before one that only `*` covers, and Brotli before gzip. `*` alone selects gzip, which every client decodes. Malformed elements
 * are ignored. A client that refuses everything receives the plain body.
 */
export function chooseCoding(header: string | undefined): AcceptedCoding {
  if (header === undefined) return none;
  const weights = weightsOf(header);
  const rest = weights.get('*');
  const identity = weights.get('identity') ?? (rest === 0 ? 0 : undefined);
  const offers: { coding: Coding; weight: number }[] = [];
  for (const coding of ['br', 'gzip'] as const) {
    const weight = weights.get(coding);
    if (weight !== undefined) offers.push({ coding, weight });
  }
  for (const coding of ['gzip', 'br'] as const)
    if (!weights.has(coding) && rest !== undefined) offers.push({ coding, weight: rest });
  const best = offers.reduce<{ coding: Coding | null; weight: number }>(
    (leading, offer) => (offer.weight > leading.weight ? offer : leading),
    { coding: null, weight: 0 },
  );
  if (best.coding === null || (identity ?? 0) > best.weight) return none;
  return { coding: best.coding, isRequired: identity === 0 };
}

/** The weight of each named coding; the first one counts, and `x-gzip` is gzip (RFC 9110, 8.4.1.3). */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] = element.exec(text.trim()) ?? [];
    if (name === undefined) continue;
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (!weights.has(coding)) weights.set(coding, Number(weight));
  }
  return weights;
}
