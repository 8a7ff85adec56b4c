const sdk = require('@brandport/client');
const { BrandportAdmin } = require('@brandport/client/admin');
const { journey } = require('./journey.cjs');

if (typeof BrandportAdmin !== 'function') throw new Error('the internal surface is missing');
void journey(sdk);
