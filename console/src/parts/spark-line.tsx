interface Props {
  /** Values from the oldest to the newest, at least 0. */
  readonly values: readonly number[];
  /** The meaning, in words and figures. */
  readonly label: string;
}

const width = 96;
const height = 18;

/** A line as small as a word. */
export function SparkLine({ values, label }: Props) {
  const highest = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = height - 1 - (value / highest) * (height - 2);
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      role="img"
    >
      <title>{label}</title>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
