import { Link } from '@tanstack/react-router';
import { messages } from './messages.ts';

interface Props {
  readonly meta: {
    readonly current_page: number;
    readonly per_page: number;
    readonly total: number;
    readonly last_page: number;
  };
}

/** The exact number of rows, and links to the neighbouring pages of the list in the address's `page`. */
export function Pager({ meta: { current_page: page, per_page: size, total, last_page: last } }: Props) {
  if (last <= 1) return <p className="pager soft">{messages.total(total)}</p>;
  return (
    <nav className="pager" aria-label={messages.pageOf(page, last)}>
      <span className="soft">
        {messages.rows(Math.min((page - 1) * size + 1, total), Math.min(page * size, total), total)}
      </span>
      {page > 1 && <PageLink page={Math.min(page - 1, last)} rel="prev" label={messages.previous} />}
      {page < last && <PageLink page={page + 1} rel="next" label={messages.next} />}
      <span className="soft">{messages.pageOf(page, last)}</span>
    </nav>
  );
}

interface LinkProps {
  readonly page: number;
  readonly rel: 'prev' | 'next';
  readonly label: string;
}

function PageLink({ page, rel, label }: LinkProps) {
  return (
    <Link
      to="."
      className="button"
      rel={rel}
      search={((search: object) => ({ ...search, page: page === 1 ? undefined : page })) as never}
    >
      {label}
    </Link>
  );
}
