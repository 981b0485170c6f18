package io.angarium.http.internal.client;

import io.angarium.http.internal.url.WebUrl;
import io.angarium.http.signature.HttpSignature;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where the messages of one destination are posted to. Immutable.
 *
 * @param address the address of the destination
 * @param label what it is called in reasons; shows no secret
 * @param lane the name of what it shares its limits with: a hook, or all addresses of an origin
 * @param retryRefused whether messages that it refuses by 4xx are tried again
 * @param headers fixed headers of each request
 */
public record Target(
    String address,
    String label,
    String lane,
    WebUrl url,
    Optional<HttpSignature> signature,
    Map<String, String> headers,
    Duration timeout,
    boolean retryRefused) {}
