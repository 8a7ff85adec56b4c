import { Link } from '@tanstack/react-router';
import { messages } from './messages.ts';

export function NotFound() {
  return (
    <div className="page">
      <h1>{messages.notFound}</h1>
      <p className="soft">{messages.notFoundText}</p>
      <p>
        <Link to="/">{messages.home}</Link>
      </p>
    </div>
  );
}
