import { defineScript } from 'redis';
import type { Bucket, Verdict, WindowState } from './window-counter.ts';

/**
 * Checks all buckets and counts in all of them or in none, in one round trip. The end of a window is stored by the clock of
 * Redis, so that all processes report the same reset. A window that is longer than allowed (the clock was set back) counts as
 * over.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local length = tonumber(ARGV[1])
local used, ends, admitted = {}, {}, 1
for i, key in ipairs(KEYS) do
  local window = redis.call('HMGET', key, 'used', 'ends')
  used[i], ends[i] = tonumber(window[1] or 0), tonumber(window[2] or 0)
  if ends[i] <= now or ends[i] > now + length then
    used[i], ends[i] = 0, now + length
  end
  if used[i] >= tonumber(ARGV[i + 1]) then admitted = 0 end
end
local reply = { admitted, now }
for i, key in ipairs(KEYS) do
  if admitted == 1 then
    used[i] = used[i] + 1
    local stamp = string.format('%.0f', ends[i])
    redis.call('HSET', key, 'used', used[i], 'ends', stamp)
    if used[i] == 1 then redis.call('PEXPIREAT', key, stamp) end
  end
  reply[#reply + 1] = used[i]
  reply[#reply + 1] = ends[i]
end
return reply
`;

/** Decides and counts in one step, so that limits are exact across processes [platform-56]. */
export const windowScripts = {
  take: defineScript({
    SCRIPT: takeScript,
    parseCommand(parser, buckets: readonly Bucket[], windowMs: number) {
      parser.pushKeysLength(buckets.map(({ key }) => key));
      parser.push(String(windowMs), ...buckets.map(({ limit }) => String(limit)));
    },
    transformReply([admitted, now, ...figures]: number[]): Verdict {
      const windows: WindowState[] = [];
      for (let at = 0; at + 1 < figures.length; at += 2) {
        windows.push({ used: figures[at] ?? 0, endsAt: figures[at + 1] ?? 0 });
      }
      return { admitted: admitted === 1, now: now ?? 0, windows };
    },
  }),
};
