import { ApiProblem, problemOf } from './api-problem.ts';
import { waitForSignIn } from './session-gate.ts';

/**
 * Sends a request with the session's cookie. The header proves to the server that a script of this origin sent it.
 * @returns a response with a status below 400
 * @throws ApiProblem
 */
export async function sendOnce(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has('X-Brandport-Console')) headers.set('X-Brandport-Console', '1');
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiProblem('The server cannot be reached.');
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/**
 * Sends a request; if the session has expired, sends it again after the user has signed in. A 401 changed nothing on the
 * server.
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    try {
      return await sendOnce(path, init);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
      await waitForSignIn();
    }
  }
}
