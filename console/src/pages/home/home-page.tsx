import { Link } from '@tanstack/react-router';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Loading } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { useConcerns } from './concerns.ts';
import { messages } from './messages.ts';

/** Concerns of the platform, worst first. A quiet day is one line. */
export function HomePage() {
  const { concerns, isPending, problem, retry } = useConcerns();
  return (
    <div className="page">
      <PageHead title={messages.title} lead={messages.lead} />
      {problem !== null && <ErrorNote problem={problem} onRetry={retry} />}
      {isPending && problem === null ? (
        <Loading />
      ) : concerns.length > 0 ? (
        <ul className="concerns" aria-label={messages.list}>
          {concerns.map(({ subject, tone, text, to }) => (
            <li key={`${to} ${text}`} data-row>
              <span className="soft">{messages.subjects[subject]}</span>
              <Link to={to as '/'} data-row-link>
                <StateMark tone={tone}>{text}</StateMark>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        problem === null && (
          <p>
            <StateMark tone="good">{messages.allWell}</StateMark>{' '}
            <span className="soft">{messages.allWellText}</span>
          </p>
        )
      )}
    </div>
  );
}
