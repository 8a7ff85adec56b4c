import { useQueryClient } from '@tanstack/react-query';
import { signOut } from './session.ts';

/** Returns a function that ends the session and opens the sign-in. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await signOut();
    queries.clear();
    location.reload();
  };
}
