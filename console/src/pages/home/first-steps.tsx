import { Link } from '@tanstack/react-router';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

const words = messages.first;
const refreshMs = 5000;

/** The steps of a new installation until the first request: a brand, a key, a call. Nothing afterwards. */
export function FirstSteps() {
  const mayCreate = useIsAdministrator();
  const query = { include: 'summary', per_page: 1 } as const;
  const brands = useApi(
    'listBrands',
    { query },
    { refreshMs: ({ meta }) => (meta.total > 1 ? undefined : refreshMs) },
  );
  const [brand] = brands.data?.data ?? [];
  const total = brands.data?.meta.total ?? 2;
  if (!mayCreate || total > 1 || (brand?.summary?.last_request_at ?? null) !== null) return null;
  const hasKey = (brand?.summary?.active_keys ?? 0) > 0;
  const base = brand === undefined ? null : `/brands/${brand.id}`;
  const steps = [
    { label: words.brand, to: '/brands/new', isDone: base !== null },
    { label: words.key, to: base && `${base}/keys/new`, isDone: hasKey },
    { label: words.call, to: hasKey ? base && `${base}/keys` : null, isDone: false },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className="section" aria-labelledby="first-steps">
      <h2 id="first-steps">{words.title}</h2>
      <ol className="concerns">
        {steps.map((step) => (
          <li key={step.label}>
            <StateMark tone={step.isDone ? 'good' : 'off'}>{step.isDone ? words.done : words.open}</StateMark>
            <span>{step.label}</span>
            {step === next && step.to !== null && (
              <Link to={step.to as '/'} className="button" data-kind="primary">
                {words.go}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p className="soft">
        {words.more} <a href="/internal/docs/guides/">{words.guides}</a>
      </p>
    </section>
  );
}
