import { call, type ResponseOf } from '../../api/call.ts';

type Explanation = ResponseOf<'explainStock'>;

/** The question that the address of the page asks. */
export interface Question {
  readonly brandId: string;
  readonly sku: string;
  readonly location: string;
  /** The earlier instant of a difference. */
  readonly from: string | undefined;
  /** undefined: now. */
  readonly at: string | undefined;
}

/** A chain as it is exported. */
export interface ChainExport {
  readonly question: Omit<Question, 'brandId'> & { readonly brand_id: number };
  readonly level: Explanation['level'];
  readonly quantity_from: number | null;
  readonly quantity_at: number;
  readonly entries: Explanation['entries'];
  readonly refused: Explanation['refused'];
  /** false: the chain is longer than what is read. */
  readonly is_complete: boolean;
}

const perPage = 200;
const maxPages = 100;

/**
 * Reads the whole chain of a level, or the part between two instants: up to 20,000 changes and refused lines.
 * @throws ApiProblem
 */
export async function readChain({ brandId, sku, location, from, at }: Question): Promise<ChainExport> {
  // A fixed end: what happens while the pages are read does not move them.
  const until = at ?? new Date().toISOString();
  const read = (more: object) =>
    call('explainStock', { path: [brandId], query: { sku, location, at: until, limit: perPage, ...more } });
  const entries: Explanation['entries'][number][] = [];
  const refused: Explanation['refused'][number][] = [];
  const isWanted = (one: { readonly at: string }) =>
    from === undefined || Date.parse(one.at) > Date.parse(from);
  const first = await read({});
  let page = first;
  let before: number | undefined;
  let isComplete = false;
  for (let count = 1; count < maxPages; count += 1) {
    refused.push(...page.refused.filter(isWanted));
    if (page.refused_next !== null) {
      page = await read({ before, refused_before: page.refused_next });
      continue;
    }
    entries.push(...page.entries.filter(isWanted));
    const last = page.entries.at(-1);
    isComplete = page.entries.length < perPage || last === undefined || !isWanted(last);
    if (isComplete) break;
    before = last?.id;
    page = await read({ before });
  }
  const earlier = from === undefined ? null : await read({ at: from, limit: 1 });
  return {
    question: { brand_id: Number(brandId), sku, location, from, at: until },
    level: first.level,
    quantity_from: earlier?.quantity_at ?? null,
    quantity_at: first.quantity_at,
    entries,
    refused,
    is_complete: isComplete,
  };
}
