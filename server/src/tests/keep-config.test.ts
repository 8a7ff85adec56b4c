import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, loadConfig } from '../config.ts';
import { policySettings } from '../retention/policy-settings.ts';

// [internal-5] [internal-55]
for (const { policy, variable, defaultDays } of policySettings) {
  if (variable === null) continue;
  describe(variable, () => {
    const keepOf = (text: string) => loadConfig({ [variable]: text }, '/srv').keep[policy];

    it('understands a number of days from 1, and forever', () => {
      assert.equal(keepOf('1d'), 1);
      assert.equal(keepOf('99999d'), 99_999);
      assert.equal(keepOf('forever'), null);
      assert.equal(keepOf(''), defaultDays);
    });

    for (const bad of [
      '0d',
      '0',
      '400',
      '400 d',
      '-1d',
      '1.5d',
      '1e3d',
      '0400d',
      '100000d',
      '12m',
      'Forever',
    ])
      it(`refuses ${bad}`, () => {
        assert.throws(
          () => keepOf(bad),
          (error) =>
            error instanceof ConfigError &&
            error.problems.join() === `${variable} must be a number of days from 1d to 99999d, or forever.`,
        );
      });
  });
}
