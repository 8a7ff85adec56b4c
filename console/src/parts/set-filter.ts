import { useNavigate } from '@tanstack/react-router';
import { changed } from '../app/search-params.ts';

/** Parameters that name a page of the old filters' result. */
const pages = { page: undefined, before: undefined, refused_before: undefined };

/** Returns a function that sets search parameters; undefined removes one. */
export function useSetFilters(): (values: Readonly<Record<string, string | undefined>>) => void {
  const navigate = useNavigate();
  return (values) => {
    void navigate({ to: '.', search: changed({ ...pages, ...values }), replace: true });
  };
}
