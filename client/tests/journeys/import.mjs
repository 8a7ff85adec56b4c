import * as sdk from '@brandport/client';
import { BrandportAdmin } from '@brandport/client/admin';
import { journey } from './journey.cjs';

if (typeof BrandportAdmin !== 'function') throw new Error('the internal surface is missing');
await journey(sdk);
