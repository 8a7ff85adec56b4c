import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Match = ResponseOf<'listSkus'>['data'][number];

interface Props {
  readonly brandId: string;
  readonly prefix: string;
}

const words = messages.matches;
const limit = 50;

/** The products and variants whose SKU begins with a string. */
export function SkuMatches({ brandId, prefix }: Props) {
  const matches = useApi('listSkus', { path: [brandId], query: { prefix, limit } });
  return (
    <section className="section" aria-labelledby="matches">
      <h2 id="matches">{words.title(prefix)}</h2>
      <Loaded query={matches}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote title={words.none} text={words.noneText}>
              <AllProducts brandId={brandId} />
            </EmptyNote>
          ) : (
            <>
              <DataTable
                caption={words.table}
                columns={columnsOf(brandId)}
                rows={data}
                rowKey={({ sku }) => sku}
              />
              {data.length === limit && <p className="soft">{words.more(limit)}</p>}
              <p>
                <AllProducts brandId={brandId} />
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function AllProducts({ brandId }: Pick<Props, 'brandId'>) {
  return (
    <Link to="/brands/$brandId/products" params={{ brandId }}>
      {messages.clear}
    </Link>
  );
}

function columnsOf(brandId: string): readonly Column<Match>[] {
  return [
    {
      header: messages.columns.sku,
      cell: ({ sku, kind, tu_id, product_tu_id }) => (
        <Link
          to="/brands/$brandId/products/$productId"
          params={{ brandId, productId: product_tu_id }}
          search={kind === 'variant' ? { variant: tu_id } : {}}
          className="mono cut"
          title={sku}
          data-row-link
        >
          {sku}
        </Link>
      ),
    },
    { header: messages.columns.kind, cell: ({ kind }) => words.kinds[kind as 'product'] ?? kind },
    {
      header: messages.columns.state,
      cell: ({ is_deleted }) => (
        <StateMark tone={is_deleted ? 'off' : 'good'}>{is_deleted ? words.deleted : words.live}</StateMark>
      ),
    },
  ];
}
