import { administratorLeaks } from './administrator-leaks.ts';
import { apiKeyLeaks } from './api-key-leaks.ts';
import { feedTokenLeaks } from './feed-token-leaks.ts';
import type { SecretKind } from './secret-kind.ts';

/** All kinds of secrets that are stored. The configured admin token is none of them: see `findLeaks`. */
export const secretKinds: readonly SecretKind[] = [apiKeyLeaks, feedTokenLeaks, administratorLeaks];
