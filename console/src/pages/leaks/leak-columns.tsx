import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

export type Leak = ResponseOf<'findLeaks'>['data'][number];

const kinds: Readonly<Record<string, string>> = messages.kinds;

export const leakColumns: readonly Column<Leak>[] = [
  { header: messages.kind, cell: ({ kind }) => kinds[kind] ?? kind },
  { header: messages.name, cell: (leak) => <Name leak={leak} /> },
  {
    header: messages.secret,
    cell: ({ secret_matches }) => {
      const word = secret_matches === null ? 'none' : secret_matches ? 'real' : 'wrong';
      return <StateMark tone={word === 'real' ? 'bad' : 'off'}>{messages.secrets[word]}</StateMark>;
    },
  },
  {
    header: messages.state,
    cell: ({ state, revoked, secret_matches }) => (
      <StateMark tone={toneOf(state, secret_matches)}>{revoked ? messages.revoked : state}</StateMark>
    ),
  },
  {
    header: messages.brand,
    isExtra: true,
    cell: ({ brand_id }) => brand_id !== null && <BrandLink brandId={brand_id} />,
  },
];

function Name({ leak: { kind, id, brand_id, name } }: { readonly leak: Leak }) {
  const label = name ?? id ?? '–';
  if (kind !== 'api_key' || brand_id === null || id === null) return <span>{label}</span>;
  return (
    <Link
      to="/brands/$brandId/keys/$keyId"
      params={{ brandId: String(brand_id), keyId: String(id) }}
      data-row-link
    >
      {label}
    </Link>
  );
}

/** A leaked secret that still works is an alarm; one that does not is history. */
function toneOf(state: string, secretMatches: boolean | null): Tone {
  if (state !== 'active') return 'off';
  return secretMatches === true ? 'bad' : 'warn';
}
