export interface TracingConfig {
  /** Receives OTLP over HTTP. */
  readonly url: string;
  readonly serviceName: string;
}
