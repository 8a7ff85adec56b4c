import { Navigate } from '@tanstack/react-router';

/** Opens the brands. */
export function HomePage() {
  return <Navigate to="/brands" replace />;
}
