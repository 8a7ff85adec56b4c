import { useIsAdministrator } from '../api/session.ts';

/** A page in the navigation. `g` and then the letter opens it. */
export interface NavigationItem {
  readonly to: string;
  readonly label: string;
  readonly letter: string;
  /** True if the server refuses it to everybody else. */
  readonly forAdministrators?: true;
}

/** The pages of the platform, in the order of the navigation. */
const platformItems = [
  { to: '/', label: 'Home', letter: 'h' },
  { to: '/brands', label: 'Brands', letter: 'b' },
  { to: '/feeds', label: 'Feeds', letter: 'q' },
  { to: '/datasets', label: 'Datasets', letter: 'd' },
  { to: '/jobs', label: 'Jobs', letter: 'j' },
  { to: '/leaks', label: 'Leak box', letter: 'l' },
  { to: '/audit', label: 'Audit', letter: 'a' },
  { to: '/administrators', label: 'Administrators', letter: 'm', forAdministrators: true },
  { to: '/sessions', label: 'Sessions', letter: 's', forAdministrators: true },
  { to: '/doctor', label: 'Doctor', letter: 'o', forAdministrators: true },
] as const satisfies readonly NavigationItem[];

/** Returns the pages of the platform that the user may open. */
export function usePlatformItems() {
  const isAdministrator = useIsAdministrator();
  return platformItems.filter((item) => isAdministrator || !('forAdministrators' in item));
}

/** The pages of a brand, below `/brands/{id}`. */
export const brandItems = [
  { to: '', label: 'Overview', letter: 'v' },
  { to: '/keys', label: 'Keys', letter: 'k' },
  { to: '/products', label: 'Products', letter: 'p' },
  { to: '/feeds', label: 'Feeds', letter: 'f' },
  { to: '/explain', label: 'Explain', letter: 'e' },
  { to: '/datasets', label: 'Datasets', letter: 'y' },
  { to: '/learners', label: 'Learners', letter: 'u' },
  { to: '/idempotency', label: 'Idempotency', letter: 'i' },
  { to: '/limits', label: 'Limits', letter: 't' },
] as const satisfies readonly NavigationItem[];
