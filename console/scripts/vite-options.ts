import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

/** The folder `console/`. */
export const consoleDir = fileURLToPath(new URL('..', import.meta.url));

/**
 * The options of Vite for the build and for development. No file is inlined into another one as a `data:` address and no
 * script is inlined into the page: the served policy forbids both.
 */
export const viteOptions = {
  root: consoleDir,
  base: '/console/',
  configFile: false,
  publicDir: false,
  clearScreen: false,
  plugins: [react()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
} satisfies InlineConfig;
