import type {
  Axis,
  AxisCreate,
  AxisUpdate,
  AxisValue,
  AxisValueCreate,
  AxisValueUpdate,
  ListAxesQuery,
  PageMeta,
} from '../generated/wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import { ClientResource } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** The brand's library of variant axes. */
export class Axes extends ClientResource {
  list(query?: ListAxesQuery, options?: PageOptions): Pages<Axis, PageMeta> {
    return offsetPages(this.api, 'listAxes', [], { query, options });
  }

  create(body: AxisCreate, options?: WriteOptions): Call<Axis> {
    return this.api.call('createAxis', [], { body }, options);
  }

  update(code: string, body: AxisUpdate, options?: CallOptions): Call<Axis> {
    return this.api.call('updateAxis', [code], { body }, options);
  }

  delete(code: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteAxis', [code], {}, options);
  }

  createValue(code: string, body: AxisValueCreate, options?: WriteOptions): Call<AxisValue> {
    return this.api.call('createAxisValue', [code], { body }, options);
  }

  updateValue(code: string, value: string, body: AxisValueUpdate, options?: CallOptions): Call<AxisValue> {
    return this.api.call('updateAxisValue', [code, value], { body }, options);
  }

  deleteValue(code: string, value: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteAxisValue', [code, value], {}, options);
  }
}
