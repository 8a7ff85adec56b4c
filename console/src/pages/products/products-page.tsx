import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { FilterSelect } from '../../parts/filter-select.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { messages } from './messages.ts';
import { productColumns } from './product-columns.tsx';
import { SkuField } from './sku-field.tsx';
import { SkuMatches } from './sku-matches.tsx';

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
