/** A single sign-on that did not succeed. The page shows title and message; the reason is for the log and names no secret. */
export class SignInError extends Error {
  readonly status: 400 | 403 | 503;
  readonly title: string;
  readonly reason: string;

  constructor(status: 400 | 403 | 503, title: string, message: string, reason: string) {
    super(message);
    this.name = 'SignInError';
    this.status = status;
    this.title = title;
    this.reason = reason;
  }
}

/** The provider did not answer, or not as a provider does. */
export function providerUnavailable(reason: string): SignInError {
  return new SignInError(
    503,
    'Single sign-on is unavailable',
    'The identity provider cannot be used at the moment. Try again later, or sign in with a token. The server’s log has the reason.',
    reason,
  );
}

/** The callback belongs to no sign-in that this browser has begun and not finished. */
export function unknownSignIn(reason: string): SignInError {
  return new SignInError(
    400,
    'This sign-in has ended',
    'It was begun more than ten minutes ago, was finished already, or was begun in another browser. Sign in again.',
    reason,
  );
}

/** The provider has refused, or its answer does not prove who the user is. */
export function signInRejected(message: string, reason: string): SignInError {
  return new SignInError(403, 'You are not signed in', message, reason);
}
