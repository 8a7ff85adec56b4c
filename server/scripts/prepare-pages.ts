import process from 'node:process';

/**
 * Builds the pages that the listeners serve, after `npm ci` and `npm install` [D350]. Exits 0 without them if the tools are not
 * installed, as after `npm ci --omit=dev`, and 1 if a page cannot be rendered.
 */

async function findBuilder(): Promise<typeof import('./built-pages/build-pages.ts') | null> {
  try {
    return await import('./built-pages/build-pages.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

const builder = await findBuilder();
if (builder === null)
  process.stderr.write(
    'The guides and the API reference are not built, because their tools are not installed. To build them: npm ci --include=dev\n',
  );
else if (await builder.buildPages()) process.stderr.write('Built the pages in server/dist/pages.\n');
