import { Link } from '@tanstack/react-router';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { StateMark } from '../../parts/state-mark.tsx';

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
    { label: 'Create a brand', to: '/brands/new', isDone: base !== null },
    { label: 'Create its first API key', to: base && `${base}/keys/new`, isDone: hasKey },
    {
      label: 'Wait for the first request: the page of a new key has what to send',
      to: hasKey ? base && `${base}/keys` : null,
      isDone: false,
    },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className="section" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className="concerns">
        {steps.map((step) => (
          <li key={step.label}>
            <StateMark tone={step.isDone ? 'good' : 'off'}>{step.isDone ? 'done' : 'open'}</StateMark>
            <span>{step.label}</span>
            {step === next && step.to !== null && (
              <Link to={step.to as '/'} className="button" data-kind="primary">
                Go on
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p className="soft">
        What comes next is in <a href="/internal/docs/guides/">the guides</a>
      </p>
    </section>
  );
}
