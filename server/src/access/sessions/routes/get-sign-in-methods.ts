import { readOperation } from '../console-context.ts';
import { SignInMethodsWire, signInMethodsExample } from '../session-wire.ts';

export const getSignInMethodsOperation = readOperation({
  id: 'getSignInMethods',
  method: 'GET',
  path: '/console/sign-in-methods',
  tag: 'Console',
  summary: 'Get the ways to sign in',
  description:
    'Returns the identity provider, if single sign-on is configured. A browser that visits `/console/sign-in` is then led to the provider and comes back with a session. Tokens always work.',
  access: 'anyone',
  responses: {
    200: { description: 'The ways to sign in.', schema: SignInMethodsWire, example: signInMethodsExample },
  },
  handle: async ({ issuer }) => ({
    status: 200,
    body: { single_sign_on: issuer === null ? null : { issuer } },
  }),
});
