import type { SandboxBrand } from './sandbox-dir.ts';

interface ReadySandbox extends SandboxBrand {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: string;
}

/** Returns what a program needs of the sandbox, as a line of JSON. */
export function readyLine({ clientUrl, internalUrl, adminToken, brandId, apiKey }: ReadySandbox): string {
  const line = {
    ...{ ready: true, sandbox: true, client: clientUrl, internal: internalUrl },
    ...{ brand_id: brandId, api_key: apiKey, admin_token: adminToken },
  };
  return `${JSON.stringify(line)}\n`;
}

/** The same for people. */
export function readyText(ready: ReadySandbox, isKept: boolean): string {
  const { clientUrl, internalUrl, adminToken, brandId, apiKey } = ready;
  return `
Brandport sandbox, ${isKept ? 'its data are kept' : 'its data vanish when it stops'}. Stop it with Ctrl-C.

  Address       ${clientUrl}
  API key       ${apiKey}   (brand ${brandId}, every scope)
  Console       ${internalUrl}/console/
  Admin token   ${adminToken}

  curl -s -H 'Authorization: Bearer ${apiKey}' '${clientUrl}/v1/client/catalog/products'

`;
}
