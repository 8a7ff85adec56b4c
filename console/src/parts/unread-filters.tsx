import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useAllPages } from '../api/use-api.ts';
import { changed } from '../app/search-params.ts';
import { Loading } from './loaded.tsx';

/** The content of a page, below what its address has that was not understood. A brand may be given by its name [D360]. */
export function UnreadFilters({ children }: { readonly children: ReactNode }) {
  const { not_understood: unread = '' } = useSearch({ strict: false }) as { not_understood?: string };
  const given = new URLSearchParams(unread);
  const { isPending, ids } = useBrandsNamed(given.get('brand'));
  const navigate = useNavigate();
  const only = ids?.length === 1 ? ids[0] : undefined;
  useEffect(() => {
    if (only === undefined) return;
    const rest = without(unread, 'brand');
    void navigate({ to: '.', search: changed({ brand: only, not_understood: rest }), replace: true });
  }, [only, unread, navigate]);
  if (isPending || only !== undefined) return <Loading />;
  return (
    <>
      {[...given].map(([name, value]) => (
        <output key={name} className="note">
          In the address,{' '}
          <code>
            {name}={value}
          </code>{' '}
          was not understood, and has no effect{name === 'brand' && ids !== undefined && reasonText(ids)}.{' '}
          <Link to="." search={changed({ not_understood: without(unread, name) })} replace>
            Remove it
          </Link>
        </output>
      ))}
      {children}
    </>
  );
}

/** Finds the brands that have this name in upper or lower case; null: none is looked for. */
function useBrandsNamed(name: string | null) {
  const isEnabled = name !== null;
  const found = useAllPages('listBrands', { query: { q: name ?? undefined } }, { isEnabled });
  const wanted = name?.toLowerCase();
  const ids = found.data?.rows.filter((brand) => brand.name.toLowerCase() === wanted).map(({ id }) => id);
  return isEnabled ? { isPending: found.isPending, ids } : { isPending: false, ids: undefined };
}

function reasonText(ids: readonly number[]): string {
  return ids.length === 0 ? ': no brand has this name' : `: ${ids.length} brands have this name`;
}

/** Returns the query without a parameter; undefined if nothing is left. */
function without(unread: string, name: string): string | undefined {
  const rest = new URLSearchParams(unread);
  rest.delete(name);
  return String(rest) || undefined;
}
