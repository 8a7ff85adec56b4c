import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { toast } from '../../parts/toast.ts';
import type { Explanation } from './causes.tsx';

const route = getRouteApi('/brands/$brandId/explain');
const chainLimit = 200;
const maxPages = 100;

interface Props {
  readonly sku: string;
  readonly location: string;
}

/** Saves the whole chain of a question as a JSON file. */
export function ExportButton({ sku, location }: Props) {
  const { brandId } = route.useParams();
  const { from, at } = route.useSearch();
  const { mutate, isPending } = useMutation({
    mutationFn: () => readChain({ brandId, sku, location, from, at }),
    onSuccess: (chain) => {
      const name = `explain-${sku}-${location}.json`.replace(/[^\w.-]+/g, '_');
      saveFile([`${JSON.stringify(chain, null, 2)}\n`], name, 'application/json');
    },
    onError: ({ message }) => toast(`The export failed: ${message}`),
  });
  return (
    <Button disabled={isPending} onClick={() => mutate()}>
      {isPending ? 'Reading…' : 'Export as JSON'}
    </Button>
  );
}

interface Question extends Props {
  readonly brandId: string;
  /** The earlier instant of a difference. */
  readonly from: string | undefined;
  /** undefined: now. */
  readonly at: string | undefined;
}

/**
 * Reads the whole chain of a level, or the part between two instants: up to 20,000 changes and refused lines. `is_complete` is
 * false if there are more.
 * @throws ApiProblem
 */
async function readChain({ brandId, sku, location, from, at }: Question) {
  // A fixed end: what happens while the pages are read does not move them.
  const until = at ?? new Date().toISOString();
  const read = (more: object) => {
    const query = { sku, location, at: until, limit: chainLimit, ...more };
    return call('explainStock', { path: [brandId], query });
  };
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
    isComplete = page.entries.length < chainLimit || last === undefined || !isWanted(last);
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
