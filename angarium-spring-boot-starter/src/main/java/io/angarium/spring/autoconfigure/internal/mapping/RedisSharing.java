package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigurationException;
import io.angarium.spring.autoconfigure.internal.details.RedisDefaults;
import io.angarium.spring.settings.AngariumProperties;
import io.lettuce.core.RedisURI;

/** Checks that Angarium's own address of Redis does not contradict that of the application. */
final class RedisSharing {
  private static final String ELSEWHERE = "; for another Redis define a bean of RedisClient";

  private RedisSharing() {}

  /**
   * Checks the address that is used, and compares both if Angarium has one of its own.
   *
   * @throws ConfigurationException if there is none, or they contradict each other
   */
  static void check(AngariumProperties.Redis given, RedisDefaults defaults) {
    RedisURI ours = RedisMapping.uri(given, defaults);
    if (given.uri() == null) {
      return;
    }
    RedisURI theirs;
    try {
      theirs = RedisMapping.springs(defaults);
    } catch (ConfigurationException e) {
      if (defaults.fromDetails()) {
        throw RedisMapping.wrong(
            shown(ours),
            "not set, as the bean of RedisConnectionDetails names no single Redis and no sentinels"
                + ELSEWHERE);
      }
      return; // theirs is not needed
    }
    boolean same = place(ours).equals(place(theirs));
    if (defaults.fromDetails()) {
      if (!same || ours.isSsl() != theirs.isSsl()) {
        throw RedisMapping.wrong(
            shown(ours),
            "not set, or "
                + shown(theirs)
                + " as the bean of RedisConnectionDetails says"
                + ELSEWHERE);
      }
    } else if (same && theirs.isSsl() && !ours.isSsl()) {
      throw RedisMapping.wrong(
          shown(ours), "not set, or TLS, as spring.data.redis says for the same Redis");
    }
  }

  private static String shown(RedisURI uri) {
    return place(uri) + (uri.isSsl() ? " with TLS" : " without TLS");
  }

  private static String place(RedisURI uri) {
    String nodes =
        uri.getSentinels().isEmpty()
            ? uri.getHost() + ":" + uri.getPort()
            : uri.getSentinelMasterId()
                + " of sentinels "
                + uri.getSentinels().stream()
                    .map(each -> each.getHost() + ":" + each.getPort())
                    .sorted()
                    .toList();
    return nodes + "/" + uri.getDatabase();
  }
}
