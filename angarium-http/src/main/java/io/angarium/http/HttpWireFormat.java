package io.angarium.http;

import io.angarium.Headers;
import io.angarium.http.internal.url.PercentEncoding;
import io.angarium.http.signature.HttpSignature;
import io.angarium.transport.CloudEvents;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a request looks like that was sent by {@link HttpTransport}; receivers in any language may
 * rely on it. It is a CloudEvent of version 1.0 in the binary mode of the HTTP binding, so that any
 * CloudEvents library reads it.
 *
 * <ul>
 *   <li>{@code POST} to the address of the destination; body: the payload, byte for byte
 *   <li>{@code Content-Type}: the message's own header {@code content-type} if it has one, else the
 *       configured one
 *   <li>the headers named here. Their values are percent-encoded as the binding demands: space,
 *       double quote, percent and everything that is not printable ASCII, as {@code %} and two
 *       hexadecimal digits for each byte of its UTF-8 form; {@link #decode} reads them
 *   <li>the message's own headers {@code traceparent} and {@code tracestate} as themselves
 *   <li>each other header of the message whose name may be that of an attribute (1..20 lower case
 *       letters and digits, none of those below) and whose value is not empty: as the extension
 *       attribute {@code ce-} and its name. So a header {@code subject} or {@code dataschema} sets
 *       that attribute
 *   <li>all others together in {@link #HEADERS}; {@link #headers} gathers all of them again
 *   <li>{@code webhook-id}, {@code webhook-timestamp} and {@code webhook-signature} if the hook has
 *       a secret, see {@link HttpSignature}; and the fixed headers that were configured for the
 *       hook
 * </ul>
 *
 * <p>The order of a message's own headers is not kept.
 */
public final class HttpWireFormat {
  /**
   * Header with the message id, 36 characters: the same each time a message is sent, so that a
   * receiver can drop repeats.
   */
  public static final String ID = "ce-id";

  /** Header with the configured source. */
  public static final String SOURCE = "ce-source";

  /** Header with the version of CloudEvents, {@code 1.0}. */
  public static final String SPEC_VERSION = "ce-specversion";

  /** Header with the logical type name; the configured one for a message without one. */
  public static final String TYPE = "ce-type";

  /**
   * Header with the time at which the message was written, as in {@code 2026-01-31T12:00:00.123Z},
   * by the clock of the host that wrote it; not the time at which a delayed message became due.
   */
  public static final String TIME = "ce-time";

  /** Header with the message key; absent for a message without one. */
  public static final String KEY = "ce-partitionkey";

  /** Header with the business type; absent for a message without a business key. */
  public static final String BUSINESS_TYPE = "angarium-business-type";

  /** Header with the business key; absent for a message without one. */
  public static final String BUSINESS_KEY = "angarium-business-key";

  /**
   * Header with the message's own headers that cannot be attributes: {@code name=value}, separated
   * by commas. In names and values, comma and equals sign are percent-encoded, too.
   */
  public static final String HEADERS = "angarium-headers";

  /** The header with the type of the payload. */
  public static final String CONTENT_TYPE = "content-type";

  static final String ATTRIBUTE_PREFIX = "ce-";

  /** The headers of a W3C trace context. */
  public static final Set<String> TRACE_HEADERS = Set.of("traceparent", "tracestate");

  private HttpWireFormat() {}

  /**
   * The text behind a value of one of these headers: without percent-encoding, and without the
   * quotes that old senders put around it.
   */
  public static String decode(String value) {
    return PercentEncoding.decode(value);
  }

  /**
   * The headers that the message had when it was sent, but for its content type.
   *
   * @param request all headers of the request; the case of names does not matter
   */
  public static Headers headers(Map<String, List<String>> request) {
    Headers headers = Headers.EMPTY;
    for (Map.Entry<String, List<String>> header : request.entrySet()) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      if (header.getValue().isEmpty()) {
        continue;
      }
      String value = header.getValue().get(0);
      if (TRACE_HEADERS.contains(name)) {
        headers = headers.with(name, value);
      } else if (name.equals(HEADERS)) {
        headers = withListed(headers, value);
      } else if (isOfMessage(name)) {
        headers = headers.with(name.substring(ATTRIBUTE_PREFIX.length()), decode(value));
      }
    }
    return headers;
  }

  private static boolean isOfMessage(String name) {
    return name.startsWith(ATTRIBUTE_PREFIX) && isFree(name.substring(ATTRIBUTE_PREFIX.length()));
  }

  /** Whether a header of the message may be an attribute of this name. */
  static boolean isFree(String attribute) {
    return CloudEvents.isExtension(attribute);
  }

  private static Headers withListed(Headers headers, String list) {
    Headers all = headers;
    for (String item : list.split(",", -1)) {
      int equals = item.indexOf('=');
      if (equals > 0) {
        all =
            all.with(decode(item.substring(0, equals).strip()), decode(item.substring(equals + 1)));
      }
    }
    return all;
  }
}
