import { getRouteApi, Link } from '@tanstack/react-router';
import { addressOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { messages } from './messages.ts';
import { ProductAxes } from './product-axes.tsx';
import { ProductFacts } from './product-facts.tsx';
import { ProductStock } from './product-stock.tsx';
import { ProductTexts } from './product-texts.tsx';

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
                <ProductAxes axes={data.axes} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
