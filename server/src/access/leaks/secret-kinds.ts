import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { deleteAdministrator } from '../administrators/administrator-service.ts';
import { revokeApiKey } from '../api-keys/api-key-service.ts';
import { deleteFeedToken } from '../feed-tokens/feed-token-service.ts';
import type { Leak } from './leak.ts';

export interface SecretKind {
  readonly kind: Exclude<Leak['kind'], 'admin_token'>;
  /**
   * Its first group matches the public id, or the whole secret; its second one, if any, the secret that follows the id. Fixed
   * lengths only, so that the scan stays linear.
   */
  readonly pattern: RegExp;
  /** Makes a leaked secret useless, in the given transaction, with its audit entry. @throws ApiError `not_found` */
  readonly revoke: (tx: AuditedTransaction, id: Leak['id']) => Promise<unknown>;
  /** The states after `revoke`, and if the secret was deleted meanwhile. */
  readonly revoked: Leak['state'];
  readonly gone: Leak['state'];
}

/** All kinds of secrets that are stored. The configured admin token is none of them: see `findLeaks`. */
export const secretKinds: readonly SecretKind[] = [
  {
    kind: 'api_key',
    pattern: /(tuk_[0-9a-f]{24})(?:\.([A-Za-z0-9]{40}))?/,
    revoke: (tx, id) => revokeApiKey(tx, String(id)),
    revoked: 'revoked',
    gone: 'unknown',
  },
  {
    // Without a public id: one that is not stored was deleted, or never existed.
    kind: 'feed_token',
    pattern: /(cfk_[A-Za-z0-9]{40})/,
    revoke: (tx, id) => deleteFeedToken(tx, Number(id)),
    revoked: 'deleted',
    gone: 'deleted',
  },
  {
    // Its sessions end with the administrator.
    kind: 'administrator_token',
    pattern: /(bpa_[0-9a-f]{24})(?:\.([A-Za-z0-9]{40}))?/,
    revoke: (tx, id) => deleteAdministrator(tx, String(id)),
    revoked: 'deleted',
    gone: 'unknown',
  },
];
