import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, listSettings, loadConfig, removedSettings } from '../config.ts';

describe('a removed setting', () => {
  it('is refused with what to use instead', () => {
    for (const [name, instead] of removedSettings)
      assert.throws(
        () => loadConfig({ [name]: 'x' }, '/srv'),
        (error) => error instanceof ConfigError && error.problems.includes(`${name} was removed. ${instead}`),
        name,
      );
  });

  it('may be left empty', () => {
    for (const name of removedSettings.keys())
      assert.deepEqual(loadConfig({ [name]: '' }, '/srv').unknownVariables, [], name);
  });

  it('is no setting any more', () => {
    for (const { name } of listSettings()) assert.equal(removedSettings.has(name), false, name);
  });
});
