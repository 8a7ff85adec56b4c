import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { call, type ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { FilterSelect } from '../../parts/filter-select.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { AvailabilityMark } from './availability-mark.tsx';
import { messages } from './messages.ts';
import { priceOf, priceRangeOf } from './price.ts';

const route = getRouteApi('/brands/$brandId/products');
const states = [undefined, 'true', 'false'] as const;

/** The products of a brand with the filters of the client API, or the SKUs that begin with a string. */
export function ProductsPage() {
  const { brandId } = route.useParams();
  const { sku } = route.useSearch();
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className="section">
        <div className="filters">
          <SkuField brandId={brandId} value={sku} />
          {sku === undefined && <Filters />}
        </div>
        {sku === undefined ? (
          <ProductList brandId={brandId} />
        ) : (
          <SkuMatches brandId={brandId} prefix={sku} />
        )}
      </div>
    </Page>
  );
}

function Filters() {
  const { active, variants, since, sort } = route.useSearch();
  return (
    <>
      <FilterSelect
        label={messages.variants}
        name="variants"
        value={variants}
        options={messages.variantChoices}
      />
      <FilterField label={messages.since} name="since" value={since} type="date" />
      <FilterSelect label={messages.sort} name="sort" value={sort} options={messages.sorts} />
      <Segments
        label={messages.active}
        choices={states.map((each) => ({
          label: messages.actives[each ?? 'all'],
          search: { active: each },
          isCurrent: each === active,
        }))}
      />
    </>
  );
}

function ProductList({ brandId }: { readonly brandId: string }) {
  const { active, variants, since, sort, page } = route.useSearch();
  const products = useApi('listProducts', {
    path: [brandId],
    query: {
      is_active: active === undefined ? undefined : active === 'true',
      has_variants: variants === undefined ? undefined : variants === 'true',
      updated_since: since === undefined ? undefined : `${since}T00:00:00Z`,
      sort,
      page,
      per_page: 50,
    },
  });
  const isFiltered = active !== undefined || variants !== undefined || since !== undefined;
  return (
    <PagedTable
      query={products}
      caption={messages.table}
      columns={productColumns}
      rowKey={({ tu_id }) => tu_id}
      empty={
        isFiltered ? (
          <EmptyNote title={messages.noneMatch}>
            <Link to="/brands/$brandId/products" params={{ brandId }}>
              {messages.clear}
            </Link>
          </EmptyNote>
        ) : (
          <EmptyNote title={messages.empty} text={messages.emptyText} />
        )
      }
    />
  );
}

type Product = ResponseOf<'listProducts'>['data'][number];

const words = messages.columns;

const productColumns: readonly Column<Product>[] = [
  {
    header: words.sku,
    cell: ({ brand_id, tu_id, sku }) => (
      <Link
        to="/brands/$brandId/products/$productId"
        params={{ brandId: String(brand_id), productId: tu_id }}
        className="mono cut"
        title={sku ?? tu_id}
        data-row-link
      >
        {sku ?? tu_id}
      </Link>
    ),
  },
  {
    header: words.title,
    isExtra: true,
    cell: ({ title }) => (
      <span className="cut" title={title}>
        {title}
      </span>
    ),
  },
  {
    header: words.state,
    isExtra: true,
    cell: ({ is_active }) => (
      <StateMark tone={is_active ? 'good' : 'off'}>
        {is_active ? messages.isActive : messages.isInactive}
      </StateMark>
    ),
  },
  {
    header: words.variants,
    isExtra: true,
    cell: ({ has_variants }) => (has_variants ? messages.hasVariants : ''),
  },
  {
    header: words.price,
    align: 'end',
    isExtra: true,
    cell: (product) => priceRangeOf(product) ?? priceOf(product.price_value, product.price_currency),
  },
  {
    header: words.availability,
    cell: ({ availability }) => <AvailabilityMark status={availability.status} />,
  },
  {
    header: words.quantity,
    align: 'end',
    cell: ({ stock_summary: stock }) => (stock === undefined ? '' : figure(stock.total_quantity)),
  },
  { header: words.updated, isExtra: true, cell: ({ updated_at }) => <Moment at={updated_at} /> },
];

interface Props {
  readonly brandId: string;
  readonly value: string | undefined;
}

/** The field that finds a SKU. Enter opens the product whose SKU, or whose variant's, it is; else lists those that begin so. */
function SkuField({ brandId, value = '' }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useId();
  useEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);

  const typed = () => field.current?.value.trim() ?? '';

  function list(sku: string): void {
    if (sku === value) return;
    const search = (old: object) => ({ ...old, page: undefined, sku: sku === '' ? undefined : sku });
    void navigate({ to: '.', search: search as never, replace: true });
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const sku = typed();
    const found = sku === '' ? undefined : await findExact(sku).catch(() => undefined);
    if (found === undefined) return list(sku);
    await navigate({
      to: '/brands/$brandId/products/$productId',
      params: { brandId, productId: found.product_tu_id },
      search: found.kind === 'variant' ? { variant: found.tu_id } : {},
    });
  }

  /** The SKU itself comes before the others that begin with it. */
  async function findExact(sku: string) {
    const query = { prefix: sku, limit: 1 };
    const { data } = await queries.fetchQuery({
      queryKey: ['listSkus', [brandId], query],
      queryFn: ({ signal }) => call('listSkus', { path: [brandId], query }, { signal }),
    });
    return data.find((each) => each.sku === sku && !each.is_deleted);
  }

  return (
    <form className="field" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{messages.sku}</label>
      <input
        ref={field}
        id={id}
        className="input"
        type="search"
        data-mono
        data-search
        maxLength={191}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        onInput={() => typed() === '' && list('')}
      />
    </form>
  );
}

type Match = ResponseOf<'listSkus'>['data'][number];

interface SkuMatchesProps {
  readonly brandId: string;
  readonly prefix: string;
}

const limit = 50;

/** The products and variants whose SKU begins with a string. */
function SkuMatches({ brandId, prefix }: SkuMatchesProps) {
  const matches = useApi('listSkus', { path: [brandId], query: { prefix, limit } });
  return (
    <section className="section" aria-labelledby="matches">
      <h2 id="matches">{messages.matches.title(prefix)}</h2>
      <Loaded query={matches}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote title={messages.matches.none} text={messages.matches.noneText}>
              <AllProducts brandId={brandId} />
            </EmptyNote>
          ) : (
            <>
              <DataTable
                caption={messages.matches.table}
                columns={columnsOf(brandId)}
                rows={data}
                rowKey={({ sku }) => sku}
              />
              {data.length === limit && <p className="soft">{messages.matches.more(limit)}</p>}
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

function AllProducts({ brandId }: Pick<SkuMatchesProps, 'brandId'>) {
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
    { header: messages.columns.kind, cell: ({ kind }) => messages.matches.kinds[kind as 'product'] ?? kind },
    {
      header: messages.columns.state,
      cell: ({ is_deleted }) => (
        <StateMark tone={is_deleted ? 'off' : 'good'}>
          {is_deleted ? messages.matches.deleted : messages.matches.live}
        </StateMark>
      ),
    },
  ];
}
