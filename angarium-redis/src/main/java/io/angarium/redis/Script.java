package io.angarium.redis;

/**
 * The scripts, each one round trip and atomic. A value is {@code P <token> <id>} while a message is
 * being processed, {@code D <token> <id>} afterwards; the time to live is the lease or the
 * retention. A client that lost its connection sends again what has no answer: with the same
 * arguments, a script does nothing twice and takes what it finds for its own.
 */
enum Script {
  /**
   * Claims all that are new, or none if one is being processed.
   *
   * <p>KEYS: the last token given, the messages. ARGV: the id of the claim, the lease in ms.
   * Answer: 0 and the place of one that is busy; or -1 if none is new; or the token as text and the
   * places of those that are.
   */
  CLAIM(
      """
      local fresh = {}
      for i = 2, #KEYS do
        local state = redis.call('GET', KEYS[i])
        if not state or string.sub(state, -#ARGV[1]) == ARGV[1] then
          fresh[#fresh + 1] = i - 2
        elseif string.sub(state, 1, 1) == 'P' then
          return {'0', i - 2}
        end
      end
      if #fresh == 0 then
        return {'-1'}
      end
      local now = redis.call('TIME')
      local last = tonumber(redis.call('GET', KEYS[1]) or '0')
      local token = string.format('%.0f', math.max(last + 1, now[1] * 1000000 + now[2]))
      redis.call('SET', KEYS[1], token)
      local answer = {token}
      for _, place in ipairs(fresh) do
        redis.call('SET', KEYS[place + 2], 'P ' .. token .. ' ' .. ARGV[1], 'PX', ARGV[2])
        answer[#answer + 1] = place
      end
      return answer
      """),
  /**
   * Notes messages as processed.
   *
   * <p>KEYS: the messages. ARGV: the value while they were processed, the value from now on, the
   * retention in ms. Answer: for each whose claim was lost its place, and 0 if nobody has claimed
   * it, else what stands there. The time to live is set first: a memory that is full refuses the
   * first write of a script only, and not that one.
   */
  FINISH(
      """
      local lost = {}
      for i = 1, #KEYS do
        local state = redis.call('GET', KEYS[i])
        if state == ARGV[1] then
          redis.call('PEXPIRE', KEYS[i], ARGV[3])
          redis.call('SET', KEYS[i], ARGV[2], 'KEEPTTL')
        elseif not state then
          lost[#lost + 1] = {i - 1, '0'}
          redis.call('SET', KEYS[i], ARGV[2], 'PX', ARGV[3])
        elseif state ~= ARGV[2] then
          lost[#lost + 1] = {i - 1, state}
        end
      end
      return lost
      """),
  /** Gives claims back. KEYS: the messages. ARGV: the value while they were processed. */
  RELEASE(
      """
      local released = 0
      for i = 1, #KEYS do
        if redis.call('GET', KEYS[i]) == ARGV[1] then
          released = released + redis.call('DEL', KEYS[i])
        end
      end
      return {released}
      """),
  /**
   * Prolongs claims. KEYS: the messages. ARGV: the value while they are processed, the lease in ms.
   * Answer: how many are still held.
   */
  RENEW(
      """
      local renewed = 0
      for i = 1, #KEYS do
        if redis.call('GET', KEYS[i]) == ARGV[1] then
          renewed = renewed + redis.call('PEXPIRE', KEYS[i], ARGV[2])
        end
      end
      return {renewed}
      """);

  private final String text;

  Script(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
