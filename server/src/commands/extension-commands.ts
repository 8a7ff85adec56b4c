import { extensionCommands } from '../serve/load-extensions.ts';
import type { AddCommand } from './command.ts';

/** Adds the commands of the extensions. */
export const addExtensionCommands: AddCommand = (program, run) => {
  for (const { name, description, options, load } of extensionCommands) {
    const command = program.command(name).description(description);
    for (const [flags, text] of options) command.option(flags, text);
    command.action((args) =>
      run(async (context) => {
        const { startServer } = await import('../serve/start-server.ts');
        const runExtension = await load();
        return await runExtension(
          {
            ...context,
            startServer: (config, cancelled, additions) =>
              startServer(config, context.logger, cancelled, additions),
          },
          args,
        );
      }),
    );
  }
};
