import { UsageError } from '../errors/cli-error.ts';

/** Checks the address of a service, which `name` has, and removes slashes at its end. @throws UsageError without the address */
export function serviceAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name} is not an http or https address, such as https://brandport.example.com.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(`${name} must not contain credentials, a query or a fragment.`);
  // The client adds the paths of the operations.
  const [path] = /\/(?:internal\/)?v1(?:\/.*)?$/.exec(url.pathname.replace(/\/+$/, '')) ?? [];
  if (path !== undefined)
    throw new UsageError(`${name} must be the address of the service, without ${path}.`);
  return url.href.replace(/\/+$/, '');
}
