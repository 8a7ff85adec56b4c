/** The browser of a user, as far as the provider sees it: it keeps cookies and submits the form. */
export class ProviderVisit {
  readonly #cookies = new Map<string, string>();

  /**
   * Follows redirects from the provider's page, logs in where it is asked to, and stops at the first address of another site.
   * @param login null: the user cancels
   * @returns that address
   */
  async signIn(address: string, login: string | null): Promise<string> {
    const { origin } = new URL(address);
    let next = address;
    for (let step = 0; step < 10; step += 1) {
      const response = await this.#send(next, 'GET');
      const answered = response.status === 200 ? await this.#send(next, 'POST', login) : response;
      const location = answered.headers.get('location');
      if (location === null) throw new Error(`${next}: ${answered.status} ${await answered.text()}`);
      next = new URL(location, next).href;
      if (new URL(next).origin !== origin) return next;
    }
    throw new Error(`too many redirects: ${next}`);
  }

  async #send(url: string, method: 'GET' | 'POST', login: string | null = null): Promise<Response> {
    const form = new URLSearchParams(login === null ? { cancel: '1' } : { login });
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: this.#header() },
      ...(method === 'POST' && { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = ''] = pair.split('=');
      this.#cookies.set(name, pair);
    }
    return response;
  }

  #header(): string {
    return [...this.#cookies.values()].join('; ');
  }
}
