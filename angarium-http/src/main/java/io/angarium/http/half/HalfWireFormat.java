package io.angarium.http.half;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.internal.remote.CallReader;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.HttpWireFormat;
import io.angarium.http.internal.url.PercentEncoding;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The form of single calls for half messages over HTTP; {@link HalfJson} has the form of many calls
 * in one request.
 *
 * <ul>
 *   <li>{@code PUT /v1/half-messages/{business}/{key}} prepares. The body is the payload, and the
 *       headers named here carry the rest of the message
 *   <li>{@code POST …/commit} and {@code POST …/rollback} decide, with {@code
 *       ?when-unknown=remember} also before the prepare
 *   <li>{@code GET /v1/half-messages/{business}/{key}} asks
 * </ul>
 *
 * Business id and key are percent-encoded (RFC 3986), each as one segment of the path. A slash in
 * them is encoded, too. Values of headers are percent-encoded as {@link HttpWireFormat} says:
 * everything except printable ASCII, and also space, double quote and percent.
 */
public final class HalfWireFormat {
  /** Where half messages are, below the address of the server. */
  public static final String PATH = "/v1/half-messages";

  /** Header with the destination, e.g. {@code kafka:orders}; the only one that must be there. */
  public static final String DESTINATION = "angarium-destination";

  /** Header with the key of the message, which keeps its order. */
  public static final String MESSAGE_KEY = "angarium-message-key";

  /** Header with the logical type name. */
  public static final String TYPE = "angarium-type";

  /** Header with who or what created the message. */
  public static final String CREATED_BY = "angarium-created-by";

  /** Header with the delay after the commit, e.g. {@code PT30M} (ISO 8601). */
  public static final String DELAY = "angarium-delay";

  /** Header with the time before which it is not sent, e.g. {@code 2026-01-31T12:00:00Z}. */
  public static final String NOT_BEFORE = "angarium-not-before";

  /** Header with the address that is asked for what became of the business transaction. */
  public static final String CHECK_BACK = "angarium-check-back";

  /** The beginning of names that are passed over, for what programs on the way add. */
  public static final String EXTENSION_PREFIX = "angarium-ext-";

  private static final String OWN_PREFIX = "angarium-";

  private static final Set<String> OF_PREPARES =
      Set.of(
          DESTINATION,
          MESSAGE_KEY,
          TYPE,
          CREATED_BY,
          DELAY,
          NOT_BEFORE,
          CHECK_BACK,
          HttpWireFormat.BUSINESS_TYPE,
          HttpWireFormat.BUSINESS_KEY,
          HttpWireFormat.HEADERS);

  /** Headers of others that become the message's; unlike these, tracestate may be several. */
  private static final Set<String> ONCE = Set.of(HttpWireFormat.CONTENT_TYPE, "traceparent");

  private static final String RESERVED_IN_SEGMENTS = "!#$&'()*+,/:;<=>?@[\\]^`{|}";

  private HalfWireFormat() {}

  /** The path of a half message, with its parts percent-encoded. */
  public static String path(HalfKey key) {
    return PATH + "/" + segment(key.business()) + "/" + segment(key.key());
  }

  /** A segment of dots alone would be taken for a folder. */
  private static String segment(String text) {
    return text.equals(".") || text.equals("..")
        ? text.replace(".", "%2E")
        : PercentEncoding.encode(text, RESERVED_IN_SEGMENTS);
  }

  /**
   * The key that a path names.
   *
   * @param path not decoded, with or without a step behind the key
   * @throws InvalidMessageException if it is not of this form
   */
  public static HalfKey key(String path) {
    int start = path.indexOf(PATH + "/");
    String[] parts = start < 0 ? new String[0] : path.substring(start).split("/", -1);
    if (parts.length < 5 || parts.length > 6) {
      throw new InvalidMessageException(
          "path: '" + PrintableExcerpt.of(path) + "' (expected: " + PATH + "/{business}/{key})");
    }
    return CallReader.key(decoded("business", parts[3]), decoded("key", parts[4]));
  }

  /**
   * The half message that a request to prepare holds.
   *
   * @param request all headers; the case of names does not matter
   * @param payload the body
   * @throws InvalidMessageException if a header is missing or malformed
   */
  public static HalfMessage message(
      HalfKey key, Map<String, List<String>> request, byte[] payload) {
    requireKnown(request, OF_PREPARES);
    requireOnce(request);
    Map<String, String> fields = new TreeMap<>();
    request.forEach(
        (name, values) -> fields.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
    String destination = text(fields, DESTINATION);
    if (destination == null) {
      throw new InvalidMessageException(
          "header " + DESTINATION + ": missing (expected: e.g. kafka:orders)");
    }
    Message message =
        Message.of(destination, payload)
            .key(text(fields, MESSAGE_KEY))
            .type(text(fields, TYPE))
            .createdBy(text(fields, CREATED_BY))
            .headers(headers(fields))
            .notBefore(CallReader.instant("not before", text(fields, NOT_BEFORE)));
    String businessType = text(fields, HttpWireFormat.BUSINESS_TYPE);
    String businessKey = text(fields, HttpWireFormat.BUSINESS_KEY);
    if (businessType != null && businessKey != null) {
      message = message.business(businessType, businessKey);
    } else if (businessType != null || businessKey != null) {
      throw new InvalidMessageException(
          "headers %s and %s: one of them (expected: both or none)"
              .formatted(HttpWireFormat.BUSINESS_TYPE, HttpWireFormat.BUSINESS_KEY));
    }
    return new HalfMessage(
        key,
        message,
        CallReader.delay("delay", text(fields, DELAY)),
        CallReader.address("check-back", text(fields, CHECK_BACK)));
  }

  /**
   * Refuses headers of ours with a call that has none: a decision, a question, or many calls.
   *
   * @param request all headers; the case of names does not matter
   * @throws InvalidMessageException if one begins with {@code angarium-} and is no extension
   */
  public static void requireNone(Map<String, List<String>> request) {
    requireKnown(request, Set.of());
  }

  /** A misspelt delay is a message that is sent too early. */
  private static void requireKnown(Map<String, List<String>> request, Set<String> known) {
    Set<String> seen = new HashSet<>();
    request.forEach(
        (written, values) -> {
          String name = written.toLowerCase(Locale.ROOT);
          if (!name.startsWith(OWN_PREFIX) || name.startsWith(EXTENSION_PREFIX)) {
            return;
          }
          if (!known.contains(name)) {
            throw new InvalidMessageException(
                "header %s: not known here (expected: %s; %s… is passed over)"
                    .formatted(
                        PrintableExcerpt.of(name),
                        known.isEmpty() ? "none of ours" : "one of " + new TreeSet<>(known),
                        EXTENSION_PREFIX));
          }
          if (values.size() != 1 || !seen.add(name)) {
            throw repeated(name);
          }
        });
  }

  /** Two values would become one, which nobody has sent. */
  private static void requireOnce(Map<String, List<String>> request) {
    Map<String, Integer> values = new TreeMap<>();
    request.forEach(
        (name, given) -> values.merge(name.toLowerCase(Locale.ROOT), given.size(), Integer::sum));
    for (String name : ONCE) {
      if (values.getOrDefault(name, 0) > 1) {
        throw repeated(name);
      }
    }
  }

  private static InvalidMessageException repeated(String name) {
    return new InvalidMessageException(
        "header %s: given more than once (expected: once)".formatted(name));
  }

  private static Headers headers(Map<String, String> fields) {
    Headers headers = Headers.EMPTY;
    String contentType = fields.get(HttpWireFormat.CONTENT_TYPE);
    if (contentType != null) {
      headers = headers.with(HttpWireFormat.CONTENT_TYPE, contentType);
    }
    for (String trace : HttpWireFormat.TRACE_HEADERS) {
      String value = fields.get(trace);
      if (value != null) {
        headers = headers.with(trace, value);
      }
    }
    String list = fields.get(HttpWireFormat.HEADERS);
    if (list != null) {
      Set<String> names = new HashSet<>(headers.asMap().keySet());
      for (String item : list.split(",", -1)) {
        headers = withItem(headers, item.strip(), names);
      }
    }
    return headers;
  }

  private static Headers withItem(Headers headers, String item, Set<String> names) {
    int equals = item.indexOf('=');
    if (equals < 1) {
      throw new InvalidMessageException(
          "header %s: '%s' (expected: name=value, with commas in between)"
              .formatted(HttpWireFormat.HEADERS, PrintableExcerpt.of(item)));
    }
    String name = decoded(HttpWireFormat.HEADERS, item.substring(0, equals));
    if (!names.add(name)) {
      throw new InvalidMessageException(
          "header %s: '%s' more than once (expected: each name once)"
              .formatted(HttpWireFormat.HEADERS, PrintableExcerpt.of(name)));
    }
    return headers.with(name, decoded(HttpWireFormat.HEADERS, item.substring(equals + 1)));
  }

  private static @Nullable String text(Map<String, String> fields, String name) {
    String value = fields.get(name);
    return value == null ? null : decoded(name, value);
  }

  /** Unlike what is read from strangers' web hooks, a slip here would change a key: it is told. */
  private static String decoded(String name, String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean encoded = c == '%';
      boolean wellFormed =
          encoded
              ? at + 2 < text.length()
                  && HexFormat.isHexDigit(text.charAt(at + 1))
                  && HexFormat.isHexDigit(text.charAt(at + 2))
              : c >= ' ' && c < 0x7F;
      if (!wellFormed) {
        throw new InvalidMessageException(
            name
                + ": the character at "
                + at
                + " (expected: printable ASCII, everything else as % and two hexadecimal digits for"
                + " each byte of its UTF-8 form)");
      }
      bytes.write(encoded ? HexFormat.fromHexDigits(text, at + 1, at + 3) : c);
      at += encoded ? 3 : 1;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidMessageException(name + ": bytes that are not UTF-8 (expected: UTF-8)");
    }
  }
}
