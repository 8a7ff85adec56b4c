import type { SingleSignOnConfig } from '../access/sessions/single-sign-on.ts';
import type { BrowserSignIn } from '../http/console-routes.ts';
import type { EngineExtension, ExtensionCommand } from './extension.ts';

/** Loads the engine that a setting asks for; null: the setting is not set. Nothing else of the core imports an extension. */
export async function loadEngineExtension(url: string | null): Promise<EngineExtension | null> {
  if (url === null) return null;
  const { clickHouseEngine } = await import('../../../extensions/clickhouse/src/clickhouse-engine.ts');
  return clickHouseEngine(url);
}

/** Loads the sign-in with an identity provider; null: none is configured. */
export async function loadBrowserSignIn(config: SingleSignOnConfig | null): Promise<BrowserSignIn | null> {
  if (config === null) return null;
  return (await import('../../../extensions/openid-connect/src/browser-sign-in.ts')).browserSignIn(config);
}

export const extensionCommands: readonly ExtensionCommand[] = [
  {
    name: 'sandbox',
    description: 'serve a disposable brand to test an integration against, with faults on request',
    options: [
      ['--empty', 'a brand without catalog and learning events'],
      [
        '--keep <dir>',
        'keep the data in this directory, and continue with it; default: they vanish at the end',
      ],
      ['--json', 'print addresses and key, and the report at the end, as JSON'],
      ['--strict', 'exit with 1 if the report finds a mistake'],
    ],
    load: async () => (await import('../../../extensions/sandbox/src/run-sandbox.ts')).runSandbox,
  },
];
