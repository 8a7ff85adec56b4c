import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Loading } from '../../parts/loaded.tsx';
import { AvailabilityMark } from './availability-mark.tsx';
import { ruleOf } from './availability-rule.ts';
import { type Location, matrixOf } from './matrix-model.ts';
import { messages } from './messages.ts';
import { priceOf } from './price.ts';
import { StockMatrix } from './stock-matrix.tsx';

interface Props {
  readonly brandId: string;
  readonly product: ResponseOf<'getProduct'>;
}

const words = messages.matrix;

/** The availability of a product with its rule, and its matrix: one read for all quantities, one for the locations. */
export function ProductStock({ brandId, product }: Props) {
  const stock = useApi('getProductStock', { path: [brandId, product.tu_id] });
  const brand = useApi('getBrand', { path: [brandId] });
  const locations = useAllPages('listStockLocations', { path: [brandId] });
  const problem = stock.error ?? brand.error ?? locations.error;
  const isRead = stock.data !== undefined && brand.data !== undefined && locations.data !== undefined;
  return (
    <section className="section" aria-labelledby="stock">
      <h2 id="stock">{words.title}</h2>
      {problem !== null && (
        <ErrorNote
          problem={problem}
          onRetry={() => void Promise.all([stock, brand, locations].map((each) => each.refetch()))}
        />
      )}
      {isRead ? (
        <ReadStock
          brandId={brandId}
          product={product}
          stock={stock.data}
          settings={brand.data.settings}
          locations={locations.data.rows}
        />
      ) : (
        problem === null && <Loading />
      )}
    </section>
  );
}

interface ReadProps extends Props {
  readonly stock: ResponseOf<'getProductStock'>;
  readonly settings: ResponseOf<'getBrand'>['settings'];
  readonly locations: readonly Location[];
}

function ReadStock({ brandId, product, stock, settings, locations }: ReadProps) {
  const { variant, location } = getRouteApi('/brands/$brandId/products/$productId').useSearch();
  const context = useMemo(
    () => ({
      lowStockThreshold: settings.low_stock_threshold,
      staleAfterHours: settings.stale_after_hours,
      inactive: new Set(locations.flatMap((each) => (each.is_active ? [] : [each.external_code]))),
      now: Date.now(),
    }),
    [settings, locations],
  );
  const matrix = useMemo(
    () =>
      matrixOf({
        stock,
        isActive: product.is_active,
        locations: new Map(locations.map((each) => [each.external_code, each])),
        axisCodes: product.axes.map(({ code }) => code),
        prices: new Map([
          [product.tu_id, priceOf(product.price_value, product.price_currency)],
          ...product.variants.map(
            ({ tu_id, price }) => [tu_id, priceOf(price.value, price.currency)] as const,
          ),
        ]),
        context,
      }),
    [stock, product, locations, context],
  );
  const counted = stock.has_variants
    ? stock.variants.flatMap(({ is_active, levels }) => (is_active ? levels : []))
    : stock.levels;
  const isDeleted =
    variant !== undefined &&
    variant !== product.tu_id &&
    !stock.variants.some(({ tu_id }) => tu_id === variant);
  return (
    <>
      <p>
        <AvailabilityMark status={stock.availability.status} />{' '}
        <span className="soft">
          {ruleOf(stock.availability, counted, context)}
          {matrix.columns.length > 0 && ` · ${words.size(matrix.rows.length, matrix.columns.length)}`}
        </span>
      </p>
      {isDeleted && <p className="note">{messages.product.deletedVariant}</p>}
      <StockMatrix brandId={brandId} matrix={matrix} variant={variant} location={location} />
    </>
  );
}
