import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useAllPages, useApi } from '../../api/use-api.ts';
import { ErrorNote, Loading } from '../../parts/loaded.tsx';
import { counted } from '../../parts/messages.ts';
import { AvailabilityMark } from './availability.tsx';
import { matrixOf } from './matrix-model.ts';
import { StockMatrix } from './stock-matrix.tsx';

interface Props {
  readonly brandId: string;
  readonly product: ResponseOf<'getProduct'>;
}

/** The availability of a product with its rule, and its matrix: one read for all quantities, one for the locations. */
export function ProductStock({ brandId, product }: Props) {
  const stock = useApi('getProductStock', { path: [brandId, product.tu_id] });
  const brand = useApi('getBrand', { path: [brandId] });
  const locations = useAllPages('listStockLocations', { path: [brandId] });
  const problem = stock.error ?? brand.error ?? locations.error;
  const isRead = stock.data !== undefined && brand.data !== undefined && locations.data !== undefined;
  return (
    <section className="section" aria-labelledby="stock">
      <h2 id="stock">Stock</h2>
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
  readonly locations: ResponseOf<'listStockLocations'>['data'];
}

function ReadStock({ brandId, product, stock, settings, locations }: ReadProps) {
  const { variant, location } = getRouteApi('/brands/$brandId/products/$productId').useSearch();
  const matrix = useMemo(
    () => matrixOf(product, stock, settings, locations),
    [product, stock, settings, locations],
  );
  const isKnown = [product, ...stock.variants].some(({ tu_id }) => tu_id === variant);
  return (
    <>
      <p>
        <AvailabilityMark status={stock.availability.status} />{' '}
        <span className="soft">
          {matrix.rule}
          {matrix.columns.length > 0 &&
            ` · ${counted(matrix.rows.length, 'row', 'rows')}, ${counted(matrix.columns.length, 'location', 'locations')}`}
        </span>
      </p>
      {variant !== undefined && !isKnown && (
        <p className="note">
          The variant of this address was deleted. It keeps its SKU; stock feeds no longer find it.
        </p>
      )}
      <StockMatrix brandId={brandId} matrix={matrix} variant={variant} location={location} />
    </>
  );
}
