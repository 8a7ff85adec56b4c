import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { counted } from '../../parts/messages.ts';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';

/** A feed that waits for so long is worth a look, as in the alerts of `deploy/`. */
const longWaitMs = 15 * 60_000;
const dayMs = 86_400_000;

interface Line {
  readonly tone: Tone;
  readonly text: string;
  /** The page of the brand, with its filter. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** Lists the concerns of a brand. Each line links to exactly the rows that it counts. */
export function Attention({ brand }: { readonly brand: ResponseOf<'getBrand'> }) {
  const expiring = useKeyCount(brand.id, 'expiring');
  const refused = useKeyCount(brand.id, 'refused');
  const { failed_lines_24h: left, oldest_feed_at: waiting, latest_date: latest } = brand.figures;
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  const lines: readonly (Line | false)[] = [
    left > 0 && {
      tone: 'bad',
      text: `${counted(left, 'failed line is', 'failed lines are')} left`,
      to: 'feeds',
      search: { refused_lines: 'true' },
    },
    waiting !== null &&
      Date.now() - Date.parse(waiting) > longWaitMs && {
        tone: 'bad',
        text: 'A feed waits for more than 15 minutes',
        to: 'feeds',
      },
    refused > 0 && {
      tone: 'warn',
      text: `${counted(refused, 'key was', 'keys were')} refused in 24 hours`,
      to: 'keys',
      search: { state: 'refused' },
    },
    expiring > 0 && {
      tone: 'warn',
      text: `${counted(expiring, 'key expires', 'keys expire')} within 30 days`,
      to: 'keys',
      search: { state: 'expiring' },
    },
    latest !== null &&
      latest < yesterday && { tone: 'warn', text: 'Datasets are behind yesterday', to: 'datasets' },
  ];
  const shown = lines.filter((line) => line !== false);
  return (
    <section className="section" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className="attention">
        {shown.map(({ tone, text, to, search }) => (
          <li key={text}>
            <Link to={`/brands/${brand.id}/${to}` as '/'} search={search as never}>
              <StateMark tone={tone}>{text}</StateMark>
            </Link>
          </li>
        ))}
        {shown.length === 0 && (
          <li>
            <StateMark tone="good">All well</StateMark>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Returns the number of keys of a brand in a state. */
function useKeyCount(brandId: number, state: 'expiring' | 'refused'): number {
  const query = { brand_id: brandId, state, per_page: 1 };
  return useApi('listAllApiKeys', { query }, { refreshMs: 60_000 }).data?.meta.total ?? 0;
}
