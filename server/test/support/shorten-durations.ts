const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Divides the durations of a configuration of Prometheus or Alertmanager: `for: 1m`, `group_wait: 10s`, `[5m]`. */
export function shortenDurations(text: string, factor: number): string {
  return text.replaceAll(
    /(\b(?:for|group_wait|group_interval|repeat_interval): |\[)(\d+)([smhd])\b/g,
    (_, start, count, unit: keyof typeof unitMs) =>
      `${start}${Math.round((Number(count) * unitMs[unit]) / factor)}ms`,
  );
}
