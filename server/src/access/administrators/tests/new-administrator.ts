import { type ApiClient, createApiClient } from '../../../../test/support/api-client.ts';
import { validateAgainstInternalDocument } from '../../../../test/support/document-validation.ts';
import type { TestApps } from '../../../../test/support/test-apps.ts';
import type { AccessRole } from '../../../api/access.ts';

export interface TestAdministrator {
  readonly id: string;
  readonly token: string;
  /** The internal surface, with the token of this administrator. */
  readonly client: ApiClient;
}

/** Creates an administrator over the internal surface. */
export async function newAdministrator(
  apps: Pick<TestApps, 'admin' | 'internalApp'>,
  role: AccessRole,
  brandIds: readonly number[] | null,
  more: object = {},
): Promise<TestAdministrator> {
  const { status, json, text } = await apps.admin.post('/administrators', {
    name: `Test ${role}`,
    role,
    brand_ids: brandIds,
    ...more,
  });
  if (status !== 201) throw new Error(`no administrator: ${text}`);
  return { id: json.id, token: json.token, client: internalClient(apps, json.token) };
}

/** The internal surface with a bearer token. */
export function internalClient({ internalApp }: Pick<TestApps, 'internalApp'>, token: string): ApiClient {
  return createApiClient(internalApp, {
    prefix: '/internal/v1',
    token,
    check: validateAgainstInternalDocument,
  });
}
