import type { KeyBucketName } from '../../api/access.ts';

/** Returns the limits against which a request counts: that of its key, then that of its brand [platform-48]. */
export function limitNamesOf(
  domain: 'catalog' | 'analytics',
  isRead: boolean,
): readonly [KeyBucketName, KeyBucketName] {
  if (domain === 'analytics') return ['analytics_key', 'analytics_brand'];
  return [isRead ? 'catalog_key_reads' : 'catalog_key_writes', 'catalog_brand'];
}
