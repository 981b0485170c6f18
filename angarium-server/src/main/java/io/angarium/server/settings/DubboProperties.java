package io.angarium.server.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Half messages over Dubbo, for the API keys and tokens of the server if there are any. The same
 * port offers TrustMessage's three calls, which have no room for a key or a token. Immutable.
 *
 * @param enabled whether they are offered
 * @param host the address it listens at; of loopback by default
 * @param port where it listens
 * @param open whether others than this machine may make TrustMessage's calls, although nobody is
 *     asked who they are
 * @param application how registries know the server
 * @param registries where the services are announced, each as {@code zookeeper://host:port}
 * @param threads that calls are made on; further calls are refused
 * @param connections at a time, at most half of them of one address; further ones are closed at
 *     once. By default 512
 * @param trustMessage whether TrustMessage's calls are offered
 * @param forwardTransport of TrustMessage's forwardTopic
 * @param businesses business ids that TrustMessage's calls may use, perhaps with {@code *} for any
 *     characters; with none, the start stops where these calls are offered
 * @param destinations destinations to which they may prepare, perhaps with {@code *}, too; with
 *     none, the start stops where these calls are offered
 * @param rate of TrustMessage's calls in a second, of each address at each server; null for any
 *     number
 * @param payloadMax the largest payload of TrustMessage's calls; null for that of the limits
 */
public record DubboProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("127.0.0.1") String host,
    @DefaultValue("20880") int port,
    @DefaultValue("false") boolean open,
    @DefaultValue("angarium-server") String application,
    @DefaultValue List<String> registries,
    @DefaultValue("64") int threads,
    @DefaultValue("512") int connections,
    @DefaultValue TrustMessage trustMessage,
    @DefaultValue("kafka") String forwardTransport,
    @DefaultValue List<String> businesses,
    @DefaultValue List<String> destinations,
    @Nullable Integer rate,
    @Nullable DataSize payloadMax) {
  /**
   * TrustMessage's calls. Immutable.
   *
   * @param enabled whether they are offered at the port
   */
  public record TrustMessage(@DefaultValue("true") boolean enabled) {}
}
