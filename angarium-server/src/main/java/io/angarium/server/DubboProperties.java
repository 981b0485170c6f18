package io.angarium.server;

import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * TrustMessage's three calls over Dubbo, which asks nobody who they are. Immutable.
 *
 * @param enabled whether they are offered
 * @param host the address it listens at; of loopback by default
 * @param port where it listens
 * @param open whether others than this machine may call, although nobody is asked who they are
 * @param application how registries know the server
 * @param registries where the service is announced, each as {@code zookeeper://host:port}
 * @param threads that calls are made on; what comes beyond is refused
 * @param forwardTransport of TrustMessage's forwardTopic
 * @param businesses of which business ids, perhaps with {@code *} for any characters
 * @param destinations to which destinations may be prepared, likewise
 */
public record DubboProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("127.0.0.1") String host,
    @DefaultValue("20880") int port,
    @DefaultValue("false") boolean open,
    @DefaultValue("angarium-server") String application,
    @DefaultValue List<String> registries,
    @DefaultValue("64") int threads,
    @DefaultValue("kafka") String forwardTransport,
    @DefaultValue("*") List<String> businesses,
    @DefaultValue List<String> destinations) {}
