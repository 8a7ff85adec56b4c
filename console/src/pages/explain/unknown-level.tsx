import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { messages } from './messages.ts';
import type { Question } from './read-chain.ts';

const most = 5;

/** Says whether the SKU or the location is unknown, and offers similar ones. */
export function UnknownLevel({ question }: { readonly question: Question }) {
  const { brandId, sku, location } = question;
  const locations = useAllPages('listStockLocations', { path: [brandId] });
  const skus = useQuery({
    queryKey: ['similarSkus', brandId, sku],
    queryFn: ({ signal }) => similarSkus(brandId, sku, signal),
  });
  if (locations.data === undefined || skus.data === undefined) return <EmptyNote title={messages.unknown} />;
  const codes = locations.data.rows.map(({ external_code: code }) => code);
  const isKnownSku = skus.data.includes(sku);
  const others = isKnownSku ? similar(codes, location) : skus.data;
  return (
    <EmptyNote title={isKnownSku ? messages.unknownLocation(location) : messages.unknownSku(sku)}>
      {others.length > 0 && (
        <p>
          {messages.similar}{' '}
          {others.map((other) => (
            <span key={other}>
              <Link
                to="/brands/$brandId/explain"
                params={{ brandId }}
                search={(search) => ({ ...search, ...(isKnownSku ? { location: other } : { sku: other }) })}
                className="mono"
              >
                {other}
              </Link>{' '}
            </span>
          ))}
        </p>
      )}
    </EmptyNote>
  );
}

/** Lists SKUs that are the same in another case, or begin alike; the SKU itself first, if it exists. */
async function similarSkus(brandId: string, sku: string, signal: AbortSignal): Promise<readonly string[]> {
  const prefixes = new Set([sku, sku.toUpperCase(), sku.toLowerCase(), sku.slice(0, -1)]);
  const found = await Promise.all(
    [...prefixes]
      .filter((prefix) => prefix !== '')
      .map((prefix) => call('listSkus', { path: [brandId], query: { prefix, limit: most } }, { signal })),
  );
  return [...new Set(found.flatMap(({ data }) => data.map((one) => one.sku)))].slice(0, most);
}

function similar(codes: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase().slice(0, 3);
  return codes.filter((code) => code.toLowerCase().startsWith(start)).slice(0, most);
}
