import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from './call.ts';
import { sendOnce } from './send.ts';

/**
 * Reads the issuer of single sign-on. undefined: not known yet; null: not configured, or the server does not say, and then a
 * token is the way to sign in.
 */
export function useIssuer(): string | null | undefined {
  const { data, isPending } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: readIssuer,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isPending ? undefined : (data ?? null);
}

async function readIssuer(): Promise<string | null> {
  const response = await sendOnce('/console/sign-in-methods');
  const methods = (await response.json()) as ResponseOf<'getSignInMethods'>;
  return methods.single_sign_on?.issuer ?? null;
}
