import type { ListedOperation } from './listed-operation.ts';

/** In a command, the place of the URL that precedes all paths. The page's script replaces it. */
const baseVariable = '$BRANDPORT_URL';

/** Returns a shell command that sends the example of an operation, with its required parameters only. */
export function curlExample({ method, path, parameters, contents }: ListedOperation): string {
  const required = parameters.filter((parameter) => parameter.required);
  const exampleOf = ({ example }: { readonly example?: unknown }) => String(example ?? '');
  let target = path;
  for (const one of required.filter((parameter) => parameter.in === 'path'))
    target = target.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one)));
  const query = required
    .filter((one) => one.in === 'query')
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`)
    .join('&');
  const headers = required.filter((one) => one.in === 'header');
  const [content] = Object.entries(contents);
  const { example } = content?.[1] ?? {};
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${baseVariable}${target}${query === '' ? '' : `?${query}`}"`,
    '-H "Authorization: Bearer $BRANDPORT_KEY"',
    ...headers.map((one) => `-H ${quoted(`${one.name}: ${exampleOf(one)}`)}`),
    ...(content === undefined ? [] : [`-H ${quoted(`Content-Type: ${content[0]}`)}`]),
    ...(example === undefined
      ? []
      : [`-d ${quoted(typeof example === 'string' ? example : JSON.stringify(example))}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
