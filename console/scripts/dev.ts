import process from 'node:process';
import { createServer } from 'vite';
import { viteOptions } from './vite-options.ts';

/**
 * Serves the console from its sources and reloads it on each change: `npm run dev:console`, next to `npm run dev`. Requests
 * of the API go to the internal listener, `BRANDPORT_INTERNAL_URL`.
 */
const target = process.env['BRANDPORT_INTERNAL_URL'] ?? 'http://127.0.0.1:8081';

const server = await createServer({
  ...viteOptions,
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/internal': { target }, '^/console/(session|oidc)': { target } },
  },
});
await server.listen();
server.printUrls();
