import { mkdir, writeFile } from 'node:fs/promises';

/**
 * Copies the script of the API reference out of its package, after `npm ci` and `npm install` [D288]. The package has it
 * as a string that only its plugin serves. Exits 0 without it if the package is not installed, as after `npm ci --omit=dev`.
 */

const target = new URL('../dist/reference/', import.meta.url);

async function bundle(): Promise<Buffer | null> {
  try {
    const { default: plugin } = await import('@scalar/fastify-api-reference');
    const { fastify } = await import('fastify');
    const app = fastify();
    await app.register(plugin, { routePrefix: '/docs', configuration: { content: '{}' } });
    return (await app.inject('/docs/js/scalar.js')).rawPayload;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

const script = await bundle();
if (script === null) {
  process.stderr.write(
    'The API reference is not built, because its package is not installed. To build it: npm ci --include=dev\n',
  );
} else {
  await mkdir(target, { recursive: true });
  await writeFile(new URL('scalar.js', target), script);
}
