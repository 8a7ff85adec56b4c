import type { SingleSignOnConfig } from '../../../server/src/access/single-sign-on/single-sign-on-config.ts';
import type { BrowserSignIn } from '../../../server/src/http/console/browser-sign-in.ts';
import { SingleSignOn } from './single-sign-on.ts';
import { addSingleSignOn } from './single-sign-on-routes.ts';

/** Returns the sign-in with an identity provider. Nothing is sent to the provider before the first one. */
export function browserSignIn(config: SingleSignOnConfig): BrowserSignIn {
  return {
    issuer: config.issuer,
    addTo(app, deps) {
      addSingleSignOn(app, { ...deps, singleSignOn: new SingleSignOn(config, deps.context) });
    },
  };
}
