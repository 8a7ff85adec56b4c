import { type BenchContext, milliseconds } from '../bench-context.ts';
import { type Part, type Ratio, ratioOf } from '../part.ts';
import { compare, median, millisecondsOf } from '../rounds.ts';
import { deferredJoin } from '../yardsticks/bare-statements.ts';

const size = 200;
const products = `/v1/client/catalog/products?per_page=${size}`;

/** Walks brand B from its first page to its last, as an integrator reads a whole catalog. */
export const productWalk: Part = {
  name: 'walk',
  async run(context) {
    const lastPage = Math.ceil(context.scale.largeProducts / size);
    const edge = Math.min(100, Math.floor(lastPage / 3));
    await readPage(context, 1);
    const times: number[] = [];
    for (let page = 1; page <= lastPage; page += 1)
      times.push(await millisecondsOf(() => readPage(context, page)));
    const first = median(times.slice(0, edge));
    const last = median(times.slice(-edge));
    return [
      {
        work: `walk of ${lastPage.toLocaleString('en-US')} pages of ${size}: the last ${edge} against the first ${edge}`,
        measured: `${milliseconds(last)} a page`,
        yardstick: `first pages ${milliseconds(first)}`,
        ratio: first / last,
        rounds: [first / last],
        target: { atLeast: 0.8 },
      },
      await jump(context, Math.min(4_000, lastPage)),
    ];
  },
};

/** Pages without a known previous page: visited backwards, each once. */
async function jump(context: BenchContext, page: number): Promise<Ratio> {
  const { scale, client, large } = context;
  const repeats = scale.name === 'full' ? 7 : 2;
  const times = async (round: number, read: (page: number) => Promise<unknown>) => {
    const each: number[] = [];
    const first = page - round * repeats;
    for (let n = 0; n < repeats; n += 1) each.push(await millisecondsOf(() => read(Math.max(1, first - n))));
    return median(each);
  };
  const bare = (at: number) => client.query(deferredJoin(large.brandId, size, (at - 1) * size));
  const compared = await compare(
    scale.rounds,
    (round) => times(round, (at) => readPage(context, at, '&sort=sku')),
    (round) => times(round, bare),
  );
  return ratioOf(compared, {
    work: `jump to page ${page.toLocaleString('en-US')} at per_page ${size}`,
    format: milliseconds,
    yardstick: (value) => `bare deferred join ${milliseconds(value)}`,
    target: { atMost: 1.2 },
  });
}

async function readPage({ service, large }: BenchContext, page: number, sort = ''): Promise<void> {
  const response = await fetch(`${service.clientUrl}${products}&page=${page}${sort}`, {
    headers: large.headers,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
}
