package io.angarium.redis;

import io.angarium.ConfigFaults;
import java.util.Map;
import java.util.stream.Collectors;

/** What a Redis says of itself; a fact that it does not tell is not checked. */
record RedisDeployment(Map<String, String> facts) {
  private static final int OLDEST = 6;

  static RedisDeployment parse(String information) {
    return new RedisDeployment(
        information
            .lines()
            .filter(line -> line.indexOf(':') > 0)
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf(':')),
                    line -> line.substring(line.indexOf(':') + 1).strip(),
                    (first, second) -> first)));
  }

  /**
   * Refuses one that forgets.
   *
   * @throws io.angarium.ConfigurationException listing every fault
   */
  void require() {
    String version = fact("redis_version", OLDEST + ".0");
    String mode = fact("redis_mode", "standalone");
    String policy = fact("maxmemory_policy", "noeviction");
    new ConfigFaults()
        .require(
            Integer.parseInt(version.substring(0, version.indexOf('.'))) >= OLDEST,
            "Redis version",
            version,
            OLDEST + ".0 or newer")
        .require(
            !mode.equals("sentinel"),
            "Redis mode",
            mode,
            "a Redis: this is a sentinel, which keeps nothing; give its address as one, e.g."
                + " redis-sentinel://host:26379#master")
        .require(
            mode.equals("standalone") || mode.equals("sentinel"),
            "Redis mode",
            mode,
            "standalone, with or without sentinels: the keys of a batch and the tokens lie on one"
                + " node, not in the slots of a cluster")
        .require(
            fact("role", "master").equals("master"),
            "Redis role",
            fact("role", ""),
            "master: a replica takes no notes; connect to the master, e.g. through sentinels")
        .require(
            fact("maxmemory", "0").equals("0") || policy.equals("noeviction"),
            "Redis maxmemory-policy",
            policy,
            "noeviction, or maxmemory 0: a note that is evicted lets its message be processed"
                + " again; set it, or use a Redis of its own")
        .throwIfAny();
  }

  /** For the log, with what the operator has to decide about. */
  @Override
  public String toString() {
    return "Redis %s, appendonly %s, replicas %s"
        .formatted(
            fact("redis_version", "unknown"),
            fact("aof_enabled", "unknown").replace("0", "no").replace("1", "yes"),
            fact("connected_slaves", "unknown"));
  }

  private String fact(String name, String otherwise) {
    return facts.getOrDefault(name, otherwise);
  }
}
