export { BrandportError, isBrandportError } from '../errors.ts';
export type * from '../generated/internal-wire.ts';
export { type Scope, scopes } from '../generated/scopes.ts';
export { BrandportAdmin, type BrandportAdminOptions } from './brandport-admin.ts';
export { decideHandover, type Handover, type HandoverStep, handoverSilenceHours } from './key-handover.ts';
