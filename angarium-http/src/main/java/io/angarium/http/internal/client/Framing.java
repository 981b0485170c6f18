package io.angarium.http.internal.client;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the rules of RFC 9112 (section 6.3) for the end of a body are more generous than the client
 * of the JDK.
 */
final class Framing {
  private static final String LENGTH = "content-length";
  private static final Pattern REPEATED = Pattern.compile("\\s*(\\d+)\\s*(?:,\\s*\\1\\s*)+");

  private Framing() {}

  /**
   * Whether a body has chunks and a length; the chunks count, and the client goes by the length.
   */
  static boolean isDouble(HttpHeaders headers) {
    return headers.firstValue("transfer-encoding").isPresent()
        && headers.firstValue(LENGTH).isPresent();
  }

  /** Whether the length is the same number several times, which counts as one. */
  static boolean isLengthRepeated(HttpHeaders headers) {
    List<String> lengths = headers.allValues(LENGTH);
    return !lengths.isEmpty() && REPEATED.matcher(String.join(",", lengths)).matches();
  }
}
