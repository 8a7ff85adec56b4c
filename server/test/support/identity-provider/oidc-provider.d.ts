/** The parts of the package that the tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Context {
    readonly path: string;
    readonly status: number;
    body: unknown;
  }

  // biome-ignore lint/style/noDefaultExport: that of the package
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...values: readonly unknown[]) => void): void;
    readonly Grant: {
      new (grant: object): Grant;
      find(id: string | undefined): Promise<Grant | undefined>;
    };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** Returns the class of a store in memory. */
  export function createMemoryAdapter(): unknown;
}
