package io.angarium.grpc;

import io.angarium.ConfigFaults;
import io.angarium.MessageLimits;
import io.angarium.half.TokenSource;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How half messages are called over gRPC. Start with {@link #DEFAULTS} and change parts, each
 * giving a copy. Immutable.
 *
 * @param timeout longest time for the answer to a request, 100 ms..5 min; default 10 s. A call may
 *     wait just as long for its turn before that
 * @param callsPerRequest maximum calls in one request, of one or many callers, 1..10 000; default
 *     500
 * @param requestBytes the largest request, 64 KiB..80 MiB; default 4 MiB, the default limit of a
 *     gRPC server. If you raise it, raise {@code maxInboundMessageSize} of the server, too
 * @param requestsUnderWay maximum requests with calls in flight, 1..64; default 4
 * @param waiting maximum callers that wait for their turn, 1..1 000 000; default 10 000. Further
 *     ones fail at once
 * @param limits of messages; larger messages are not sent. The limits of the server apply as well
 * @param token gives the token, or the API key, that each request shows in the header {@code
 *     authorization}. Its time counts towards the time of the answer. Null if this client has none,
 *     for example because the channel has one of its own
 */
public record GrpcHalfConfig(
    Duration timeout,
    int callsPerRequest,
    int requestBytes,
    int requestsUnderWay,
    int waiting,
    MessageLimits limits,
    @Nullable TokenSource token) {
  /** Maximum number of calls or keys in one request. Here, so that this class needs no protobuf. */
  static final int CALLS_MAX = 10_000;

  private static final Pattern API_KEY = Pattern.compile("[\\x21-\\x7E]{1,512}");

  /** 10 s, 500 calls or 4 MiB in a request, 4 requests, 10 000 callers, standard limits. */
  public static final GrpcHalfConfig DEFAULTS =
      new GrpcHalfConfig(
          Duration.ofSeconds(10), 500, 4 << 20, 4, 10_000, MessageLimits.DEFAULTS, null);

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public GrpcHalfConfig {
    new ConfigFaults()
        .range("half.grpc.timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(5))
        .range("half.grpc.calls-per-request", callsPerRequest, 1, CALLS_MAX)
        .range("half.grpc.request-bytes", requestBytes, 64 << 10, 80 << 20)
        .range("half.grpc.requests-under-way", requestsUnderWay, 1, 64)
        .range("half.grpc.waiting", waiting, 1, 1_000_000)
        .throwIfAny();
  }

  /** A copy with another longest time for an answer. */
  public GrpcHalfConfig timeout(Duration timeout) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }

  /** A copy with another number of calls in a request. */
  public GrpcHalfConfig callsPerRequest(int callsPerRequest) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }

  /** A copy with another largest request. */
  public GrpcHalfConfig requestBytes(int requestBytes) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }

  /** A copy with another number of requests at a time. */
  public GrpcHalfConfig requestsUnderWay(int requestsUnderWay) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }

  /** A copy with another number of callers that wait. */
  public GrpcHalfConfig waiting(int waiting) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }

  /** A copy with other limits of messages. */
  public GrpcHalfConfig limits(MessageLimits limits) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }

  /**
   * A copy that shows an API key; null for none.
   *
   * @throws io.angarium.ConfigurationException if it is no 1..512 printable ASCII characters
   */
  public GrpcHalfConfig apiKey(@Nullable String apiKey) {
    new ConfigFaults()
        .require(
            apiKey == null || API_KEY.matcher(apiKey).matches(),
            "half.grpc.api-key",
            "its value",
            "1..512 printable ASCII characters")
        .throwIfAny();
    return token(apiKey == null ? null : () -> apiKey);
  }

  /** A copy that shows a token, or an API key; null for none. */
  public GrpcHalfConfig token(@Nullable TokenSource token) {
    return new GrpcHalfConfig(
        timeout, callsPerRequest, requestBytes, requestsUnderWay, waiting, limits, token);
  }
}
