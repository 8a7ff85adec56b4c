import type { FastifyInstance } from 'fastify';
import { withCookie } from '../../../server/src/access/sessions/tests/browser-client.ts';
import { registerCanary } from '../../../server/test/support/canaries.ts';
import { ProviderVisit } from '../../../server/test/support/identity-provider/provider-visit.ts';

/** The console in the tests of single sign-on; the apps do not listen there. */
export const consoleUrl = 'http://127.0.0.1:8081/console/';

export interface Visited {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** An empty string if there is none. */
  readonly location: string;
}

/** A browser that visits the console's addresses and the provider's, and keeps the console's cookies. */
export class ConsoleBrowser {
  readonly provider = new ProviderVisit();
  readonly #app: FastifyInstance;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #cookies = new Map<string, string>();

  constructor(app: FastifyInstance, headers: Readonly<Record<string, string>> = {}) {
    this.#app = app;
    this.#headers = headers;
  }

  /** Visits an address of the console. `site`: how the browser came there. */
  async visit(url: string, site: 'none' | 'same-origin' | 'cross-site' = 'none'): Promise<Visited> {
    const { pathname, search, host } = new URL(url, consoleUrl);
    const headers = { host, 'sec-fetch-site': site, cookie: this.cookieHeader(), ...this.#headers };
    const response = await this.#app.inject({ url: pathname + search, headers });
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split('=');
      this.#cookies.set(name, value);
      registerCanary(value);
    }
    const { statusCode: status, body: text } = response;
    return { status, headers: response.headers, text, location: String(response.headers.location ?? '') };
  }

  /** Begins a sign-in and logs in at the provider. Returns the address of the callback, not visited yet. */
  async comeBackAs(login: string | null, begin = 'sign-in'): Promise<string> {
    const { location, status, text } = await this.visit(begin, 'same-origin');
    if (status !== 303) throw new Error(`not begun: ${status} ${text}`);
    const callback = await this.provider.signIn(location, login);
    const code = new URL(callback).searchParams.get('code');
    if (code !== null) registerCanary(code);
    return callback;
  }

  /** Signs in as a user of the provider and returns the last answer. */
  async signIn(login: string | null, begin = 'sign-in'): Promise<Visited> {
    return this.visit(await this.comeBackAs(login, begin), 'cross-site');
  }

  cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** A client that sends the cookies as a page of the console does. */
  get client() {
    return withCookie(this.#app, this.cookieHeader());
  }
}
