import { useApi } from '../../api/use-api.ts';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { Thread } from '../../parts/thread.tsx';
import { KeyRefusals } from './key-refusals.tsx';
import { messages } from './messages.ts';
import { dayAgo } from './usage-sums.ts';

interface Props {
  readonly keyId: string;
}

const words = messages.issued;
const refreshMs = 2000;

/** Watches a key until an integration calls with it, and then what it calls and why calls are refused. */
export function FirstCalls({ keyId }: Props) {
  const key = useApi('getApiKey', { path: [keyId] }, { refreshMs });
  const usage = useApi(
    'listKeyUsage',
    { path: [keyId], query: { step: 'hour', from: dayAgo() } },
    { refreshMs },
  );
  const calls = usage.data?.data ?? [];
  const isRefused = calls.some(({ denied, refused, failed }) => denied + refused + failed > 0);
  const isUsed = calls.length > 0 || (key.data?.last_used_at ?? null) !== null;
  return (
    <section className="section" aria-live="polite">
      <h2>
        <StateMark tone={isUsed ? 'good' : 'warn'}>{isUsed ? words.arrived : words.waiting}</StateMark>
      </h2>
      {calls.length > 0 && (
        <Thread
          label={words.arrivedLead}
          steps={calls.map(({ at, operation, requests, denied, refused, failed }) => ({
            key: `${at} ${operation}`,
            kind: operation,
            tone: denied + refused + failed > 0 ? 'warn' : 'good',
            content: (
              <>
                {messages.requests(requests)}
                {refused > 0 && `, ${figure(refused)} refused`}
                {denied > 0 && `, ${figure(denied)} over the limit`}
                {failed > 0 && `, ${figure(failed)} failed`} <Moment at={key.data?.last_used_at ?? at} />
              </>
            ),
          }))}
        />
      )}
      {isRefused && key.data !== undefined && (
        <KeyRefusals brandId={String(key.data.brand_id)} keyId={keyId} />
      )}
    </section>
  );
}
