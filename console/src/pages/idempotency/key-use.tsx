import type { ResponseOf } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { KeyLink, RequestLink } from '../../parts/links.tsx';
import { messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { useCopied } from '../../parts/use-copied.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly use: ResponseOf<'listIdempotencyKeyUses'>['data'][number];
}

/** A use of an Idempotency-Key: its request, and the response that a retry receives. */
export function KeyUse({ brandId, use }: Props) {
  const state = use.state === 'running' ? 'running' : 'settled';
  const { method, path, status, body } = use;
  return (
    <section className="section" aria-label={`${method ?? ''} ${path ?? messages.states[state]}`.trim()}>
      <Facts
        items={[
          [
            messages.state,
            <span key="state">
              <StateMark tone={state === 'settled' ? 'good' : 'warn'}>{messages.states[state]}</StateMark>{' '}
              <span className="soft">{messages.stateTexts[state]}</span>
            </span>,
          ],
          [
            messages.request,
            <span key="request" className="mono">
              {method === null ? messages.unrecorded : `${method} ${path}`}
            </span>,
          ],
          [messages.status, status ?? messages.unrecorded],
          [
            messages.requestId,
            use.request_id === null ? messages.unrecorded : <RequestLink key="id" id={use.request_id} />,
          ],
          [
            messages.writer,
            use.key_id === null ? (
              messages.unrecorded
            ) : (
              <KeyLink key="key" brandId={brandId} keyId={use.key_id} />
            ),
          ],
          [messages.created, <Moment key="created" at={use.created_at} absent={messages.states.running} />],
          [messages.expires, <Moment key="expires" at={use.expires_at} absent={messages.states.running} />],
        ]}
      />
      {state === 'settled' && (
        <>
          <h2>{messages.body}</h2>
          {body === null || body === '' ? (
            <p className="soft">{messages.noBody}</p>
          ) : (
            <StoredText label={messages.body} copy={messages.copy} text={body} />
          )}
        </>
      )}
    </section>
  );
}

interface StoredTextProps {
  /** Names the text for screen readers. */
  readonly label: string;
  /** The words of the button. */
  readonly copy: string;
  /** JSON is indented, other text stays as it is. The original is copied. */
  readonly text: string;
}

/** A stored text in a frame that scrolls, with a button that copies it. */
function StoredText({ label, copy, text }: StoredTextProps) {
  const [onCopy, isCopied] = useCopied(text);
  return (
    <div className="stored-text">
      <Button onClick={onCopy}>
        {copy}
        <span className="copied" aria-live="polite">
          {isCopied ? shared.copied : ''}
        </span>
      </Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it */}
      <section aria-label={label} tabIndex={0}>
        <pre>{indented(text)}</pre>
      </section>
    </div>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
