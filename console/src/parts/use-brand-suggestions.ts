import { useApi } from '../api/use-api.ts';
import type { Suggestion } from './filter-field.tsx';
import { shownName } from './shown-name.ts';

/** Returns the first 200 brands that the user may see, for a field that takes the id of one. */
export function useBrandSuggestions(): readonly Suggestion[] {
  const brands = useApi('listBrands', { query: { per_page: 200 } });
  return (brands.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: shownName(name) }));
}
