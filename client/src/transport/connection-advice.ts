/** Returns why a connection failed, for a message: the code, or the innermost sentence. */
export function failureReason(failure: unknown): string | undefined {
  const code = connectionCode(failure);
  if (code !== undefined) return code;
  let error = failure;
  for (let depth = 0; depth < 4 && error instanceof Error && error.cause !== undefined; depth += 1)
    error = error.cause;
  if (!(error instanceof Error) || error === failure) return undefined;
  // The Fetch standard refuses the ports of other protocols.
  return error.message === 'bad port' ? 'fetch blocks this port' : error.message;
}

/** `fetch` of Node has the code in the cause; with several addresses, in the first of its errors. */
export function connectionCode(failure: unknown): string | undefined {
  for (let error: unknown = failure, depth = 0; depth < 4; depth += 1) {
    if (typeof error !== 'object' || error === null) return undefined;
    if ('code' in error && typeof error.code === 'string') return error.code;
    const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
    error = cause ?? errors?.[0];
  }
  return undefined;
}

/** Codes of certificates that are not trusted, by OpenSSL and Node. */
const untrusted =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** Codes of ports that speak another protocol than TLS. */
const withoutTls = /^(EPROTO|ERR_SSL_)/;

/** Returns what to do about a failure that will not pass; null if a retry may succeed. */
export function adviceFor(failure: unknown): string | null {
  const code = connectionCode(failure) ?? '';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'The certificate of the service is not valid now: check its dates and the clock of this machine.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return 'The certificate is of another host: check the address.';
  if (untrusted.test(code))
    return 'The certificate is of an authority that Node does not know: start with NODE_EXTRA_CA_CERTS=<its file>.';
  if (withoutTls.test(code)) return 'The port does not speak TLS: check the address, or use http.';
  return null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a sentence if a proxy is configured in the environment that Node does not use for the address; otherwise null. */
export function unusedProxy(
  protocol: string,
  hostname: string,
  environment: Environment = processEnvironment(),
): string | null {
  const settingOf = (name: string) => environment[name] || environment[name.toLowerCase()];
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  if (!settingOf(name) || environment['NODE_USE_ENV_PROXY'] === '1') return null;
  const direct = (settingOf('NO_PROXY') ?? '').split(',').map((entry) => entry.trim().replace(/^\*?\./, ''));
  if (direct.some((host) => host === '*' || (host !== '' && `.${hostname}`.endsWith(`.${host}`))))
    return null;
  return `${name} is set and not used: Node uses it with NODE_USE_ENV_PROXY=1.`;
}

/** The SDK runs outside of Node, too. */
function processEnvironment(): Environment {
  const { process } = globalThis as { process?: { env?: Environment } };
  return process?.env ?? {};
}
