import { useNavigate } from '@tanstack/react-router';
import { changed } from '../app/search-params.ts';

/** Parameters that name a page of the old filters' result, or a filter that was not understood. */
const pages = { page: undefined, before: undefined, refused_before: undefined, not_understood: undefined };

/** Returns a function that sets search parameters; undefined removes one. */
export function useSetFilters(): (values: Readonly<Record<string, string | undefined>>) => void {
  const navigate = useNavigate();
  return (values) => {
    void navigate({ to: '.', search: changed({ ...pages, ...values }), replace: true });
  };
}
