import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A user's input: a name, or null to cancel. */
type Login = string | null;

const page = `<!doctype html>
<html lang="en">
<title>Test provider</title>
<main>
<h1>Sign in at the provider</h1>
<form method="post">
<label>Login <input name="login" autofocus></label>
<button>Continue</button>
<button name="cancel" value="1">Cancel</button>
</form>
</main>
</html>
`;

/** Serves the provider's only page, a form without a password, and returns what was entered; undefined: the form was shown. */
export async function serveLogin(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Login | undefined> {
  if (request.method === 'POST') {
    const entered = new URLSearchParams(await text(request));
    return entered.has('cancel') ? null : entered.get('login');
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', "default-src 'none'");
  response.end(page);
  return undefined;
}
