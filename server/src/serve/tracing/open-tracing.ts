import type { TracesConfig } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { StartError } from '../start-error.ts';

/** Failures of the exporter are logged once a minute at most. */
const warningPauseMs = 60_000;

/**
 * Loads OpenTelemetry and switches tracing on for the process. Sampling, batches and headers follow the standard
 * `OTEL_…` variables.
 * @returns the function that sends the remaining spans and switches tracing off
 * @throws StartError if the packages are not installed
 */
export async function openTracing(config: TracesConfig, log: Log): Promise<() => Promise<void>> {
  const { startTracing } = await import('./opentelemetry.ts').catch((error: Error) => {
    throw new StartError(
      `Traces are configured (OTEL_EXPORTER_OTLP_ENDPOINT), but OpenTelemetry cannot be loaded: ${error.message}. Install the ` +
        'optional packages (npm ci without --omit=optional).',
    );
  });
  let warnAfter = 0;
  return startTracing(config, (message) => {
    if (performance.now() < warnAfter) return;
    warnAfter = performance.now() + warningPauseMs;
    log('warn', `traces not exported: ${message}`);
  });
}
