import { getRouteApi, Link } from '@tanstack/react-router';
import { addressOf, type ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { counted, figure, messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { priceOf, priceRangeOf } from './price.ts';
import { ProductStock } from './product-stock.tsx';

const route = getRouteApi('/brands/$brandId/products/$productId');

/** A product with its texts, axes and stock. The address may name a variant and a location of the matrix. */
export function ProductPage() {
  const { brandId, productId } = route.useParams();
  const input = { path: [brandId, productId] } as const;
  const product = useApi('getProduct', input);
  if (product.error?.status === 404) {
    return (
      <Page title="Product">
        <EmptyNote
          title="The brand has no such product"
          text="The id may be mistyped, or belong to another brand."
        >
          <Link to="/brands/$brandId/products" params={{ brandId }}>
            All products
          </Link>
        </EmptyNote>
      </Page>
    );
  }
  const { title, sku } = product.data ?? {};
  return (
    <Page
      title={title || sku || 'Product'}
      tabTitle={`Product ${sku ?? productId}`}
      lead={sku && <CopyableId id={sku} />}
      actions={
        <a className="button" href={addressOf('getProduct', input)} download="product.json">
          JSON
        </a>
      }
    >
      <Loaded query={product}>
        {(data) => (
          <>
            <ProductStock brandId={brandId} product={data} />
            <div className="columns">
              <ProductFacts product={data} />
              <div className="section">
                <ProductTexts product={data} />
                <ProductAxes product={data} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly product: ResponseOf<'getProduct'>;
}

/** Values that are shown at once. */
const shownValues = 30;

function textOf(values: Props['product']['axes'][number]['values']): string {
  return values.map(({ value, label }) => label ?? value).join(', ');
}

/** The axes of a product, in its order, with their values. */
function ProductAxes({ product: { axes } }: Props) {
  return (
    <section className="section" aria-labelledby="axes">
      <h2 id="axes">Axes</h2>
      {axes.length === 0 ? (
        <p className="soft">The product selects no axis, so it has no variants.</p>
      ) : (
        <Facts
          pairs={axes.map(({ code, label, values }) => [
            label === null || label === code ? code : `${label} (${code})`,
            <span key={code}>
              {textOf(values.slice(0, shownValues))}{' '}
              <span className="soft">{counted(values.length, 'value', 'values')}</span>
              {values.length > shownValues && (
                <details>
                  <summary>{figure(values.length - shownValues)} more</summary>
                  {textOf(values.slice(shownValues))}
                </details>
              )}
            </span>,
          ])}
        />
      )}
    </section>
  );
}

/** The fields of a product. */
function ProductFacts({ product }: Props) {
  const { stock_summary: stock } = product;
  return (
    <section className="section" aria-labelledby="facts">
      <h2 id="facts">Product</h2>
      <Facts
        items={{
          Id: <CopyableId id={product.tu_id} />,
          State: (
            <StateMark tone={product.is_active ? 'good' : 'off'}>
              {product.is_active ? 'active' : 'inactive (archived)'}
            </StateMark>
          ),
          Price: priceOf(product.price_value, product.price_currency),
          'Prices of active variants': product.has_variants && (priceRangeOf(product) ?? shared.none),
          Quantity: stock && `${figure(stock.total_quantity)}, ${figure(stock.total_reserved)} reserved`,
          Type: product.type,
          'Tax class': product.tax_class,
          Created: <Moment at={product.created_at} />,
          Changed: <Moment at={product.updated_at} />,
        }}
      />
    </section>
  );
}

/** The texts of a product in each language, those of its default language first. */
function ProductTexts({ product }: Props) {
  const { title, short_description, default_language: language, versions } = product;
  const others = Object.entries(versions).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <section className="section" aria-labelledby="texts">
      <h2 id="texts">Translations</h2>
      <dl className="facts">
        <Texts language={language} title={title} description={short_description} isDefault />
        {others.map(([code, texts]) => (
          <Texts key={code} language={code} title={texts.title} description={texts.short_description} />
        ))}
      </dl>
    </section>
  );
}

interface TextsProps {
  readonly language: string;
  readonly title: string | null | undefined;
  readonly description: string | null | undefined;
  readonly isDefault?: boolean;
}

function Texts({ language, title, description, isDefault = false }: TextsProps) {
  return (
    <div>
      <dt>
        <span className="mono">{language}</span> {isDefault && 'default'}
      </dt>
      <dd lang={language} dir="auto">
        <strong>{title}</strong>
        {description && <p className="soft">{description}</p>}
      </dd>
    </div>
  );
}
