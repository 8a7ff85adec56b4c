import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Health = ResponseOf<'getStockHealth'>;

const words = messages.stock;

const columns: readonly Column<Health['by_location'][number]>[] = [
  { header: words.location, cell: ({ location_code }) => <span className="mono">{location_code}</span> },
  { header: words.levels, align: 'end', cell: ({ levels }) => figure(levels) },
  { header: words.out, align: 'end', cell: ({ out_of_stock }) => figure(out_of_stock) },
  { header: words.low, align: 'end', cell: ({ low_stock }) => figure(low_stock) },
  { header: words.stale, align: 'end', cell: ({ stale }) => figure(stale) },
];

/** The stock levels of a brand that are low, out or stale, by location, with a link to the products. */
export function StockHealth({ brandId }: { readonly brandId: string }) {
  const health = useApi('getStockHealth', { path: [brandId] }, { refreshMs: 60_000 });
  return (
    <section className="section" aria-labelledby="stock">
      <h2 id="stock">{words.title}</h2>
      <Loaded query={health}>
        {(data) => (
          <>
            <p>
              <State health={data} />{' '}
              <span className="soft">
                {words.asOf} <Moment at={data.as_of} />
              </span>
            </p>
            {data.by_location.length > 0 && (
              <>
                <DataTable
                  caption={words.table}
                  columns={columns}
                  rows={data.by_location}
                  rowKey={({ location_code }) => location_code}
                />
                <p>
                  <Link to="/brands/$brandId/products" params={{ brandId }}>
                    {words.products}
                  </Link>
                </p>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function State({ health: { levels, out_of_stock, low_stock, stale } }: { readonly health: Health }) {
  const [tone, text] = stateOf(levels, out_of_stock + low_stock + stale);
  return <StateMark tone={tone}>{text}</StateMark>;
}

function stateOf(levels: number, wanting: number): readonly [Tone, string] {
  if (levels === 0) return ['off', words.none];
  return wanting === 0 ? ['good', words.well] : ['warn', words.wanting(wanting, levels)];
}
