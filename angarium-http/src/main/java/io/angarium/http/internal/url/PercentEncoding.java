package io.angarium.http.internal.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Header values as the HTTP binding of CloudEvents 1.0.2 writes them, in its section 3.1.3.2. */
public final class PercentEncoding {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String ALWAYS = "\"%";

  private PercentEncoding() {}

  public static String encode(String text) {
    return encode(text, "");
  }

  /**
   * Encodes what a URL or a header cannot hold.
   *
   * @param besides printable characters that are encoded besides those that always are
   */
  public static String encode(String text, String besides) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(UTF_8)) {
      boolean printable = each > ' ' && each < 0x7F;
      if (printable && ALWAYS.indexOf(each) < 0 && besides.indexOf(each) < 0) {
        encoded.append((char) each);
      } else {
        encoded.append('%').append(HEX.toHexDigits(each));
      }
    }
    return encoded.toString();
  }

  public static String decode(String value) {
    String text = unquoted(value);
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] encoded = text.getBytes(UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(encoded.length);
    int at = 0;
    while (at < encoded.length) {
      if (isEncodedByte(encoded, at)) {
        decoded.write(HexFormat.fromHexDigits(new String(encoded, at + 1, 2, UTF_8)));
        at += 3;
      } else {
        decoded.write(encoded[at]);
        at++;
      }
    }
    return decoded.toString(UTF_8);
  }

  private static boolean isEncodedByte(byte[] text, int at) {
    return text[at] == '%'
        && at + 2 < text.length
        && HexFormat.isHexDigit(text[at + 1])
        && HexFormat.isHexDigit(text[at + 2]);
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
  }
}
