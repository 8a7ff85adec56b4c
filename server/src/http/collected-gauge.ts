import { Gauge, type Registry } from 'prom-client';

export interface CollectedGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Called with every scrape; sets the values. */
  readonly read: (gauge: Gauge) => void | Promise<void>;
}

/** Registers a gauge whose values are read when the metrics are scraped. */
export function collectGauge(
  registry: Registry,
  { name, help, labelNames = [], read }: CollectedGauge,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      return read(this);
    },
  });
}
