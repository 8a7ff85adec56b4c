import { enableCompileCache, registerHooks } from 'node:module';

/** Makes imports of the workspaces lead to their TypeScript, like `--conditions=source` on the command line of Node [D272]. */
export function preferSource() {
  enableCompileCache();
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'source'] }),
  });
}
