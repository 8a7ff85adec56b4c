import { getRouteApi, Link } from '@tanstack/react-router';
import { addressOf, type ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { figure, messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';
import { priceOf, priceRangeOf } from './price.ts';
import { ProductStock } from './product-stock.tsx';

const route = getRouteApi('/brands/$brandId/products/$productId');
const words = messages.product;

/** A product with its texts, axes and stock. The address may name a variant and a location of the matrix. */
export function ProductPage() {
  const { brandId, productId } = route.useParams();
  const input = { path: [brandId, productId] } as const;
  const product = useApi('getProduct', input);
  if (product.error?.status === 404) {
    return (
      <Page title={words.facts}>
        <EmptyNote title={words.unknown} text={words.unknownText}>
          <Link to="/brands/$brandId/products" params={{ brandId }}>
            {words.all}
          </Link>
        </EmptyNote>
      </Page>
    );
  }
  const { title, sku } = product.data ?? {};
  return (
    <Page
      title={title || sku || words.facts}
      tabTitle={words.tabTitle(sku ?? productId)}
      lead={sku && <CopyableId id={sku} />}
      actions={
        <a className="button" href={addressOf('getProduct', input)} download="product.json">
          {words.json}
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
      <h2 id="axes">{words.axes}</h2>
      {axes.length === 0 ? (
        <p className="soft">{words.noAxes}</p>
      ) : (
        <Facts
          pairs={axes.map(({ code, label, values }) => [
            label === null || label === code ? code : `${label} (${code})`,
            <span key={code}>
              {textOf(values.slice(0, shownValues))}{' '}
              <span className="soft">{words.values(values.length)}</span>
              {values.length > shownValues && (
                <details>
                  <summary>{words.moreValues(figure(values.length - shownValues))}</summary>
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
      <h2 id="facts">{words.facts}</h2>
      <Facts
        items={{
          [words.id]: <CopyableId id={product.tu_id} />,
          [words.state]: (
            <StateMark tone={product.is_active ? 'good' : 'off'}>
              {product.is_active ? messages.isActive : words.archived}
            </StateMark>
          ),
          [words.own]: priceOf(product.price_value, product.price_currency),
          [words.range]: product.has_variants && (priceRangeOf(product) ?? shared.none),
          [words.quantity]:
            stock && `${figure(stock.total_quantity)}, ${words.reserved(figure(stock.total_reserved))}`,
          [words.type]: product.type,
          [words.taxClass]: product.tax_class,
          [words.created]: <Moment at={product.created_at} />,
          [words.updated]: <Moment at={product.updated_at} />,
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
      <h2 id="texts">{words.texts}</h2>
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
        <span className="mono">{language}</span> {isDefault && words.isDefault}
      </dt>
      <dd lang={language} dir="auto">
        <strong>{title}</strong>
        {description && <p className="soft">{description}</p>}
      </dd>
    </div>
  );
}
