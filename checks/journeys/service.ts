/** A running server for a journey. */
export interface Service {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: string;
}

/** Waits until `attempt` returns a value, for at most 30 seconds. */
export async function eventually<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const result = await attempt();
    if (result !== null) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen in time`);
}

/** Returns the value of a response; narrows away `undefined`. */
export function present<T>(value: T | undefined, error: unknown): T {
  if (value === undefined) throw new Error(`no success but ${JSON.stringify(error)}`);
  return value;
}

/** Yesterday, UTC, as analytics names days. */
export function yesterday(): string {
  return new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
