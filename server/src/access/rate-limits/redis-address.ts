import { isUrl } from '../../lib/urls.ts';

/** Returns whether a string is the URL of one Redis. Its path is a database's number, with `unix:` that of the socket. */
export function isRedisUrl(text: string): boolean {
  if (!/^(rediss?|unix):\/\//.test(text) || !isUrl(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  if (protocol === 'unix:') return host === '' && pathname.length > 1;
  return host !== '' && !host.includes(',') && /^\/?\d*$/.test(pathname);
}
