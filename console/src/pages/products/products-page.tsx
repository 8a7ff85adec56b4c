import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { call, type ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { ChoiceFilter, choicesOf, FilterBar, TextFilter, TimeFilter } from '../../parts/filters.tsx';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, DataTable, PagedTable } from '../../parts/table.tsx';
import { AvailabilityMark } from './availability.tsx';
import { priceOf, priceRangeOf } from './price.ts';

const route = getRouteApi('/brands/$brandId/products');

const actives = choicesOf({ true: 'Active', false: 'Inactive' });
const withVariants = choicesOf({ true: 'With variants', false: 'Without variants' });

/** The products of a brand with the filters of the client API, or the SKUs that begin with a string. */
export function ProductsPage() {
  const { sku, title, active, variants, since } = route.useSearch();
  const isSearch = sku !== undefined || title !== undefined;
  return (
    <Page
      title="Products"
      lead="What the integrations have written. The console reads the catalog; it does not change it."
    >
      <div className="section">
        <FilterBar>
          <SkuField value={sku} />
          <TextFilter label="Title contains" name="title" value={title} />
          {!isSearch && (
            <>
              <ChoiceFilter label="State" name="active" value={active} choices={actives} />
              <ChoiceFilter label="Variants" name="variants" value={variants} choices={withVariants} />
              <TimeFilter label="Changed since" name="since" value={since} />
            </>
          )}
        </FilterBar>
        {isSearch ? <Matches prefix={sku} title={title} /> : <ProductList />}
      </div>
    </Page>
  );
}

function ProductList() {
  const { brandId } = route.useParams();
  const { active, variants, since, sort, page } = route.useSearch();
  const products = useApi('listProducts', {
    path: [brandId],
    query: {
      is_active: active === undefined ? undefined : active === 'true',
      has_variants: variants === undefined ? undefined : variants === 'true',
      updated_since: since && new Date(since).toISOString(),
      sort,
      page,
      per_page: 50,
    },
  });
  return (
    <PagedTable
      query={products}
      caption="Products"
      columns={productColumns}
      rowKey={({ tu_id }) => tu_id}
      noneMatch="No product matches these filters"
      empty={
        <EmptyNote
          title="No product yet"
          text="Products appear here when an integration creates them with POST /v1/client/catalog/products."
        />
      }
    />
  );
}

type Product = ResponseOf<'listProducts'>['data'][number];

const titleColumn: Column<{ readonly title: string }> = {
  header: 'Title',
  text: ({ title }) => title,
  isExtra: true,
  cell: ({ title }) => (
    <span className="cut" title={title}>
      {title}
    </span>
  ),
};

const productColumns: readonly Column<Product>[] = [
  {
    header: 'SKU',
    text: ({ sku }) => sku,
    sort: 'sku',
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
  { header: 'Id', text: ({ tu_id }) => tu_id, isInFilesOnly: true },
  titleColumn,
  {
    header: 'State',
    text: ({ is_active }) => (is_active ? 'active' : 'inactive'),
    isExtra: true,
    cell: ({ is_active }) => (
      <StateMark tone={is_active ? 'good' : 'off'}>{is_active ? 'active' : 'inactive'}</StateMark>
    ),
  },
  {
    header: 'Variants',
    text: ({ has_variants }) => has_variants,
    isExtra: true,
    cell: ({ has_variants }) => (has_variants ? 'yes' : ''),
  },
  {
    header: 'Price',
    text: ({ price_value }) => price_value?.toFixed(4).replace(/0{1,2}$/, ''),
    align: 'end',
    isExtra: true,
    cell: (product) => priceRangeOf(product) ?? priceOf(product.price_value, product.price_currency),
  },
  { header: 'Currency', text: ({ price_currency }) => price_currency, isInFilesOnly: true },
  {
    header: 'Availability',
    text: ({ availability }) => availability.status,
    cell: ({ availability }) => <AvailabilityMark status={availability.status} />,
  },
  {
    header: 'Quantity',
    align: 'end',
    text: ({ stock_summary: stock }) => stock?.total_quantity,
  },
  {
    header: 'Changed',
    sort: '-updated_at',
    isExtra: true,
    at: ({ updated_at }) => updated_at,
  },
];

/** The field that finds a SKU. Enter opens the product whose SKU, or whose variant's, it is; else lists those that begin so. */
function SkuField({ value }: { readonly value: string | undefined }) {
  const { brandId } = route.useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();

  /** The SKU itself comes before the others that begin with it. */
  async function open(sku: string): Promise<boolean> {
    const query = { prefix: sku, limit: 1 };
    const { data } = await queries.fetchQuery({
      queryKey: ['listSkus', [brandId], query],
      queryFn: ({ signal }) => call('listSkus', { path: [brandId], query }, { signal }),
    });
    const found = data.find((each) => each.sku === sku && !each.is_deleted);
    if (found === undefined) return false;
    await navigate({
      to: '/brands/$brandId/products/$productId',
      params: { brandId, productId: found.product_tu_id },
      search: found.kind === 'variant' ? { variant: found.tu_id } : {},
    });
    return true;
  }

  return (
    <TextFilter
      label="SKU, or its beginning"
      name="sku"
      value={value}
      isMono
      onEnter={(sku) => open(sku).catch(() => false)}
    />
  );
}

type Match = ResponseOf<'listSkus'>['data'][number];

const limit = 50;

interface MatchesProps {
  readonly prefix: string | undefined;
  readonly title: string | undefined;
}

/** The products and variants whose SKU begins with a string, or the products whose title has one. */
function Matches({ prefix, title }: MatchesProps) {
  const { brandId } = route.useParams();
  const matches = useApi('listSkus', { path: [brandId], query: { prefix, title, limit } });
  return (
    <section className="section" aria-labelledby="matches">
      <h2 id="matches">{matchesText(prefix, title)}</h2>
      <Loaded query={matches}>
        {({ data }) =>
          data.length === 0 ? (
            title === undefined ? (
              <EmptyNote title="No SKU begins like this" text="Case counts: tee-1 and TEE-1 are two SKUs." />
            ) : (
              <EmptyNote
                title="No product has such a title"
                text="The newest 20,000 products of the brand are searched; others are found by their SKU."
              />
            )
          ) : (
            <>
              <DataTable
                caption="SKUs of products and variants"
                columns={columnsOf(brandId)}
                rows={data}
                rowKey={({ sku }) => sku}
              />
              {data.length === limit && (
                <p className="soft">These are the first {figure(limit)}. Type more to see others.</p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function matchesText(prefix: string | undefined, title: string | undefined): string {
  if (title === undefined) return `SKUs that begin with ${prefix}`;
  const among = prefix === undefined ? '' : ` and whose SKU begins with ${prefix}`;
  return `Products whose title contains “${title}”${among}`;
}

function columnsOf(brandId: string): readonly Column<Match>[] {
  return [
    {
      header: 'SKU',
      text: ({ sku }) => sku,
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
    titleColumn,
    {
      header: 'Kind',
      text: ({ kind }) => kind,
      isExtra: true,
      cell: ({ kind, has_variants }) => (kind === 'product' && has_variants ? 'with variants' : kind),
    },
    {
      header: 'State',
      text: ({ is_deleted, is_active }) => (is_deleted ? 'deleted' : is_active ? 'active' : 'inactive'),
      cell: ({ is_deleted, is_active }) => (
        <StateMark tone={is_active && !is_deleted ? 'good' : 'off'}>
          {is_deleted ? 'deleted variant, keeps its SKU' : is_active ? 'active' : 'inactive'}
        </StateMark>
      ),
    },
    {
      header: 'Price',
      text: ({ price }) => price.value,
      align: 'end',
      isExtra: true,
      cell: ({ price }) => priceOf(price.value, price.currency),
    },
    { header: 'Currency', text: ({ price }) => price.currency, isInFilesOnly: true },
    { header: 'Quantity', align: 'end', text: ({ quantity }) => quantity },
  ];
}
