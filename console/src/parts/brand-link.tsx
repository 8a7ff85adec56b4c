import { Link } from '@tanstack/react-router';
import { useApi } from '../api/use-api.ts';
import { shownName } from './shown-name.ts';

/** A link to a brand, with its name; until that is known, with its id. */
export function BrandLink({ brandId }: { readonly brandId: number }) {
  const name = useApi('getBrand', { path: [brandId] }).data?.name;
  return (
    <Link to="/brands/$brandId" params={{ brandId: String(brandId) }} title={String(brandId)}>
      {shownName(name ?? String(brandId))}
    </Link>
  );
}
