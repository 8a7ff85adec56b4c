import { UsageError } from '../errors/cli-error.ts';

/** Checks the address of a service and removes slashes at its end. @throws UsageError */
export function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`'${text}' is not an http or https address, such as https://brandport.example.com.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('The address must not contain credentials, a query or a fragment.');
  return url.href.replace(/\/+$/, '');
}

/** Returns whether a secret for the address travels unencrypted through a network. */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
