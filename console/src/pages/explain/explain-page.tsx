import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { useAllPages, useApi } from '../../api/use-api.ts';
import { changed } from '../../app/search-params.ts';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter } from '../../parts/filters.tsx';
import { EmptyNote, ErrorNote, Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { DataTable } from '../../parts/table.tsx';
import { Causes, perPage } from './causes.tsx';
import { ExportButton } from './export-button.tsx';
import { TimeSlider } from './time-slider.tsx';

const route = getRouteApi('/brands/$brandId/explain');

/** A quantity, or the difference of two, and what led to it. The address is the whole question. */
export function ExplainPage() {
  const { sku = '', location = '', from, at } = route.useSearch();
  const isAsked = sku !== '' && location !== '';
  return (
    <Page
      title="Explain"
      tabTitle={isAsked ? `Explain ${sku} at ${location}` : 'Explain'}
      lead="Why a SKU has this quantity at a location, now or at an instant, or what changed between two."
      actions={isAsked && <ExportButton sku={sku} location={location} />}
    >
      <div className="section">
        <FilterBar>
          <TextFilter label="SKU" name="sku" value={sku} isMono />
          <LocationField sku={sku} location={location} />
          <TimeFilter label="Changed since" name="from" value={from} />
          <TimeFilter label="As of" name="at" value={at} />
        </FilterBar>
        {isAsked ? <Answer sku={sku} location={location} /> : <Levels sku={sku} />}
      </div>
    </Page>
  );
}

/** Reads the levels of a SKU; none of an empty string, undefined: not read yet. */
function useLevels(sku: string) {
  const { brandId } = route.useParams();
  const input = { path: [brandId], query: { sku } } as const;
  const levels = useAllPages('listStockLevels', input, { isEnabled: sku !== '' });
  return sku === '' ? [] : levels.data?.rows;
}

/** The levels of a SKU, each a link to its explanation; without a SKU, what to enter. */
function Levels({ sku }: { readonly sku: string }) {
  const rows = useLevels(sku);
  if (rows === undefined) return null;
  if (rows.length === 0 && sku !== '') return <WithoutLevels sku={sku} />;
  if (rows.length === 0)
    return (
      <EmptyNote
        title="Enter a SKU and a location code"
        text="The codes are those that the integrations send."
      />
    );
  return (
    <DataTable
      caption="Levels of the SKU"
      columns={[
        {
          header: 'Location code',
          cell: ({ location }) => (
            <Link to="." search={{ sku, location } as never} className="mono" data-row-link>
              {location}
            </Link>
          ),
        },
        { header: 'Quantity', align: 'end', text: ({ quantity }) => quantity },
        { header: 'Changed', at: ({ updated_at }) => updated_at },
      ]}
      rows={rows}
      rowKey={({ location }) => location}
    />
  );
}

interface Props {
  readonly sku: string;
  readonly location: string;
}

function Answer({ sku, location }: Props) {
  const path = [route.useParams().brandId] as const;
  const { from, at, before, refused_before } = route.useSearch();
  const query = { sku, location, at, before, refused_before, limit: perPage };
  const explanation = useApi('explainStock', { path, query });
  const ofEarlier = { path, query: { sku, location, at: from, limit: 1 } };
  const earlier = useApi('explainStock', ofEarlier, { isEnabled: from !== undefined });
  if (explanation.error?.status === 404) return <UnknownLevel sku={sku} location={location} />;
  if (from !== undefined && Date.parse(from) > Date.parse(at ?? new Date().toISOString()))
    return <EmptyNote title="The first instant is after the second one" />;
  if (from !== undefined && earlier.isError) return <ErrorNote problem={earlier.error} />;
  return (
    <Loaded query={explanation}>
      {(data) => (
        <>
          <TimeSlider explanation={data} at={at} now={explanation.dataUpdatedAt} />
          {from === undefined && <Causes explanation={data} earlier={null} />}
          {from !== undefined && earlier.data !== undefined && (
            <Causes explanation={data} earlier={{ at: from, quantity: earlier.data.quantity_at }} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** Chooses one of the brand's locations: first those that have a level of the SKU, with its quantity. */
function LocationField({ sku, location }: Props) {
  const locations = useAllPages('listStockLocations', { path: [route.useParams().brandId] });
  const quantities = new Map((useLevels(sku) ?? []).map((level) => [level.location, level.quantity]));
  const choices = (locations.data?.rows ?? [])
    .map(({ external_code: value, name }) => ({
      value,
      label: locationOfText(value, name, quantities.get(value)),
    }))
    .sort((one, other) => Number(quantities.has(other.value)) - Number(quantities.has(one.value)));
  return <ChoiceFilter label="Location code" name="location" value={location} choices={choices} isFree />;
}

const most = 5;

/** Says why a SKU has no level: it is unknown, it is that of a product with variants, or nothing was stored. */
function WithoutLevels({ sku }: { readonly sku: string }) {
  const { brandId } = route.useParams();
  const found = useQuery({
    queryKey: ['skuWithoutLevels', brandId, sku],
    queryFn: async ({ signal }) => {
      const query = { prefix: sku, limit: 1 };
      const { data } = await call('listSkus', { path: [brandId], query }, { signal });
      const [holder] = data.filter((one) => one.sku === sku);
      if (holder === undefined) return { isKnown: false, similar: await similarSkus(brandId, sku, signal) };
      if (holder.kind === 'variant' || !holder.has_variants) return { isKnown: true, similar: [] };
      const { variants } = await call('getProductStock', { path: [brandId, holder.tu_id] }, { signal });
      const skus = variants.map((variant) => variant.sku).slice(0, most);
      return { isKnown: true, similar: skus, product: holder.tu_id, variants: variants.length };
    },
  });
  if (found.isError) return <ErrorNote problem={found.error} />;
  if (found.data === undefined) return null;
  const { isKnown, similar, product, variants } = found.data;
  const title =
    variants !== undefined
      ? `${sku} has ${counted(variants, 'variant', 'variants')}: stock is kept under their SKUs`
      : isKnown
        ? `${sku} has no level at any location yet`
        : `The brand has no SKU "${sku}"`;
  return (
    <EmptyNote title={title}>
      <Others lead={isKnown ? '' : 'Did you mean'} name="sku" values={similar} />
      {product !== undefined && (
        <p>
          <Link to="/brands/$brandId/products/$productId" params={{ brandId, productId: product }}>
            All variants of the product
          </Link>
        </p>
      )}
    </EmptyNote>
  );
}

/** Says whether the SKU or the location is unknown, and offers similar ones. */
function UnknownLevel({ sku, location }: Props) {
  const { brandId } = route.useParams();
  const locations = useAllPages('listStockLocations', { path: [brandId] });
  const skus = useQuery({
    queryKey: ['similarSkus', brandId, sku],
    queryFn: ({ signal }) => similarSkus(brandId, sku, signal),
  });
  if (locations.data === undefined || skus.data === undefined)
    return <EmptyNote title="The brand has no such SKU or no such location" />;
  const isKnownSku = skus.data.includes(sku);
  const start = location.toLowerCase().slice(0, 3);
  const codes = locations.data.rows.map(({ external_code }) => external_code);
  const others = isKnownSku
    ? codes.filter((code) => code.toLowerCase().startsWith(start)).slice(0, most)
    : skus.data;
  return (
    <EmptyNote
      title={isKnownSku ? `The brand has no location "${location}"` : `The brand has no SKU "${sku}"`}
    >
      <Others lead="Did you mean" name={isKnownSku ? 'location' : 'sku'} values={others} />
    </EmptyNote>
  );
}

interface OthersProps {
  readonly lead: string;
  /** The search parameter. */
  readonly name: 'sku' | 'location';
  readonly values: readonly string[];
}

/** Links to the same question about other values. */
function Others({ lead, name, values }: OthersProps) {
  if (values.length === 0) return null;
  return (
    <p className="names">
      {lead}
      {values.map((value) => (
        <Link key={value} to="." search={changed({ [name]: value })} className="mono">
          {value}
        </Link>
      ))}
    </p>
  );
}

/** Lists SKUs that are the same in another case, or begin alike; the SKU itself first, if it exists. */
async function similarSkus(brandId: string, sku: string, signal: AbortSignal): Promise<readonly string[]> {
  const prefixes = new Set([sku, sku.toUpperCase(), sku.toLowerCase(), sku.slice(0, -1)]);
  prefixes.delete('');
  const found = await Promise.all(
    [...prefixes].map((prefix) =>
      call('listSkus', { path: [brandId], query: { prefix, limit: most } }, { signal }),
    ),
  );
  return [...new Set(found.flatMap(({ data }) => data.map((one) => one.sku)))].slice(0, most);
}

function locationOfText(code: string, name: string, quantity: number | undefined): string {
  return `${name === code ? code : `${code}, ${name}`}, ${quantity === undefined ? 'no level' : `${figure(quantity)} now`}`;
}
