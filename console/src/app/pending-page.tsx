import { Loading } from '../parts/loaded.tsx';
import { messages } from './messages.ts';
import { useIsWaiting } from './waiting-news.ts';

/** Replaces a page while its script is loaded. */
export function PendingPage() {
  const isWaiting = useIsWaiting();
  return (
    <div className="page">
      <h1 className={isWaiting ? undefined : 'visually-hidden'}>{messages.opening}</h1>
      {isWaiting && (
        <p className="error-note" role="alert">
          {messages.waiting}
        </p>
      )}
      <Loading />
    </div>
  );
}
