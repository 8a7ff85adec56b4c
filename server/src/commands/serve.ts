import type { AddCommand, CommandContext } from './command.ts';

/** Time for requests and jobs in flight after a stop signal; the rest of 10 s is for the database. */
const stopGraceMs = 6_500;

export const addServe: AddCommand = (program, run) => {
  program.action(() => run(serve));
  program
    .command('serve')
    .description('serve both listeners (the default)')
    .action(() => run(serve));
};

async function serve({ config, logger, log, stopping, write, tell, exit }: CommandContext): Promise<never> {
  const signal = stopping();
  const { startServer } = await import('../serve/start-server.ts');
  const { firstSteps, firstStepsText, welcomeText } = await import('../serve/welcome.ts');
  const server = await startServer(config, logger, signal).catch((error: unknown) => {
    if (signal.aborted) exit(0);
    throw error;
  });
  const { clientUrl, internalUrl } = server;
  const needsBrand = server.isWithoutBrands && config.role !== 'worker';
  if (needsBrand && config.logFormat === 'json') log('info', firstSteps);
  // Before the ready line: a reader of that line finds the startup log and the welcome written.
  tell(server.demo === null ? '' : welcomeText(server, server.demo));
  if (needsBrand && config.logFormat !== 'json') tell(firstStepsText);
  write(`${JSON.stringify({ ready: true, client: clientUrl, internal: internalUrl })}\n`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await server.stop(stopGraceMs);
  return exit(0);
}
