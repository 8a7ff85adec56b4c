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
  { to: '/keys', label: 'Keys', letter: 'c' },
  { to: '/requests', label: 'Requests', letter: 'x' },
  { to: '/without-key', label: 'Without a key', letter: 'w', forAdministrators: true },
  { to: '/feeds', label: 'Feeds', letter: 'q' },
  { to: '/datasets', label: 'Datasets', letter: 'd' },
  { to: '/jobs', label: 'Jobs', letter: 'j' },
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
  { to: '/refusals', label: 'Refusals', letter: 'r' },
  { to: '/limits', label: 'Limits', letter: 't' },
  { to: '/settings', label: 'Settings', letter: 'i' },
] as const satisfies readonly NavigationItem[];

/** The place of signing out, which is no page. */
export const signOutAction = 'sign-out';

/** The hash of a key's page that asks to rotate the key. */
export const rotateAction = 'rotate';

/** Returns the pages on which something is created or done, for the search. */
export function actionsFor(
  brandId: string | undefined,
  isAdministrator: boolean,
  mayChange: boolean,
): readonly Pick<NavigationItem, 'to' | 'label'>[] {
  return [
    ...(isAdministrator
      ? [
          { to: '/brands/new', label: 'New brand' },
          { to: '/administrators/new', label: 'New administrator' },
          { to: '/doctor', label: 'Run the doctor' },
        ]
      : []),
    ...(mayChange && brandId !== undefined ? actionsIn(brandId) : []),
    { to: signOutAction, label: 'Sign out' },
  ];
}

/** Returns the same for one brand, the usual one first. */
export function actionsIn(brandId: string) {
  const brand = `/brands/${brandId}`;
  return [
    { to: `${brand}/keys/new`, label: 'New key' },
    { to: `${brand}/learners/opt-out`, label: 'Opt learners out' },
    { to: `${brand}/datasets`, label: 'Aggregate days' },
    { to: `${brand}/settings#own-limits`, label: 'Set limits' },
  ] as const;
}
