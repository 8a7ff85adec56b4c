import { Link } from '@tanstack/react-router';

interface Props {
  readonly brandId: number;
  readonly feedId: string;
}

/** A link to a feed, by its id. */
export function FeedLink({ brandId, feedId }: Props) {
  return (
    <Link to="/brands/$brandId/feeds/$feedId" params={{ brandId: String(brandId), feedId }} className="mono">
      {feedId}
    </Link>
  );
}
