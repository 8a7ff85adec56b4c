interface Props {
  readonly details: Readonly<Record<string, unknown>>;
}

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** The details of an entry: what changed from what to what, or what was created with. */
export function Changes({ details }: Props) {
  const { changes, ...others } = details;
  const changed = Object.entries((changes ?? {}) as Record<string, Change>);
  const plain = Object.entries(others).filter(([, value]) => value !== null);
  return (
    <span data-wraps>
      {changed.map(([field, { from, to }]) => (
        <span key={field} className="change">
          <span className="soft">{field}</span> <del>{textOf(from)}</del> <ins>{textOf(to)}</ins>
        </span>
      ))}
      {plain.map(([field, value]) => (
        <span key={field} className="change">
          <span className="soft">{field}</span> {textOf(value)}
        </span>
      ))}
    </span>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length > 3 ? `${value.length} values` : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
