import type { SyncFolder } from './sync-kit.ts';

/** Writes the input of a small catalog: both lanes for variants, two languages, stock at two locations. */
export function catalogFiles(folder: SyncFolder): string[] {
  return [
    folder.file('axes.csv', [
      'axis,value,label',
      'color,,Colour',
      'color,red,Red',
      'color,blue,Blue',
      'size,,Size',
      'size,S,',
      'size,M,',
    ]),
    folder.file('locations.csv', ['external_code,name', 'paris,Paris', 'lyon,Lyon']),
    folder.file('products.csv', [
      'sku,title,title:sv,short_description,price_value,is_active,axis:color,axis:size,variants',
      'TEE,T-shirt,T-tröja,"Soft, light",19.5,yes,red|blue,S|M,all',
      'MUG,Mug,Mugg,,8,true,,,',
      'CAP,Cap,Keps,,12.25,false,red|blue,,',
    ]),
    folder.file('variants.csv', [
      'product_sku,sku,axis:color,barcode,price_value,is_active',
      'CAP,CAP/red,red,731,13,true',
      'CAP,CAP/blue,blue,732,,true',
    ]),
    folder.file('stock.csv', [
      'sku,location_code,quantity,reserved',
      'MUG,paris,14,2',
      'MUG,lyon,0,',
      'TEE-red-S,paris,3,',
      'CAP/blue,lyon,5,',
    ]),
  ];
}

/** Writes products, variants and stock that differ from those of `catalogFiles` in every way that a plan can change. */
export function changedFiles(folder: SyncFolder): string[] {
  return [
    folder.file('products-2.csv', [
      'sku,title,title:sv,short_description,price_value,is_active,axis:color,axis:size',
      'TEE,Shirt,T-tröja,"Soft, light",21,yes,red|blue,S|M',
      'MUG,Mug,Kopp,,8,false,,',
      'CAP,Cap,Keps,,12.25,true,blue|red,',
      'BAG,Bag,Väska,,30,true,,',
    ]),
    folder.file('variants-2.csv', [
      'product_sku,sku,axis:color,axis:size,barcode,price_value',
      'CAP,CAP/rouge,red,,731,14',
      'CAP,CAP/blue,blue,,739,',
      'TEE,TEE-red-S,red,S,999,',
    ]),
    folder.file('stock-2.csv', [
      'sku,location_code,quantity',
      'MUG,paris,7',
      'BAG,lyon,1',
      'CAP/rouge,lyon,2',
    ]),
  ];
}
