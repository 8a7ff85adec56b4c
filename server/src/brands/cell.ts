/** An inclusive range of ids that one cell gives out and no other. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

const cellForm = /^[0-9a-f]{2}$/;
/** 256 ranges fill the positive 32-bit integers. */
const brandsPerCell = 2 ** 23;
/** 256 ranges stay below 2^53, so an id is exact in JSON. */
const tokensPerCell = 2 ** 40;

/** Returns whether a string names a cell: two lower-case hexadecimal digits. */
export function isCellName(text: string): boolean {
  return cellForm.test(text);
}

/** The ids of brands that are created in a cell [D201]. Those of cell `00` are the first ones, as without cells. */
export function brandIdsOf(cell: string): IdRange {
  return rangeOf(cell, brandsPerCell);
}

/** The ids of feed tokens that are created in a cell [D201]. They are addressed without their brand. */
export function feedTokenIdsOf(cell: string): IdRange {
  return rangeOf(cell, tokensPerCell);
}

function rangeOf(cell: string, size: number): IdRange {
  const start = Number.parseInt(cell, 16) * size;
  return { first: Math.max(1, start), last: start + size - 1 };
}
