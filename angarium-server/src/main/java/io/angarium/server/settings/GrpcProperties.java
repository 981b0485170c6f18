package io.angarium.server.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Half messages over gRPC, for the API keys and tokens of the server. Immutable.
 *
 * @param enabled whether they are served
 * @param host the address it listens at
 * @param port 0 for a free one
 * @param certificate a file of PEM with the chain of the server; null for no TLS
 * @param privateKey a file of PEM with its key, in PKCS#8
 * @param clientCertificates a file of PEM with those who may issue the certificates of clients,
 *     which then must show one besides their API key; null to ask for none
 * @param requestMax the largest request
 * @param requests under way at a time; further ones are told to come again
 * @param connections at a time, at most half of them of one address; further ones are closed at
 *     once
 * @param health whether {@code grpc.health.v1} is served, to anybody
 * @param reflection whether the descriptions of the services are served, to known callers
 */
public record GrpcProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("127.0.0.1") String host,
    @DefaultValue("9090") int port,
    @Nullable String certificate,
    @Nullable String privateKey,
    @Nullable String clientCertificates,
    @DefaultValue("4MB") DataSize requestMax,
    @DefaultValue("64") int requests,
    @DefaultValue("512") int connections,
    @DefaultValue("true") boolean health,
    @DefaultValue("true") boolean reflection) {}
