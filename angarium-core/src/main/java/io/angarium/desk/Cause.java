package io.angarium.desk;

import io.angarium.internal.Sha256Names;
import io.angarium.internal.UnicodeText;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Why messages were given up, without what differs from message to message. Two reasons have the
 * same cause if they differ in ids, times, hosts, numbers or quoted values with digits only, as far
 * as such values can be told from words. Immutable.
 *
 * @param text the first line of the reason, with {@code <id>}, {@code <time>}, {@code <host>},
 *     {@code <hex>}, {@code <n>} and {@code <text>} in the place of what differs; at most {@value
 *     #LENGTH_MAX} characters
 * @param fingerprint 16 hexadecimal digits of the text, to name the cause in a filter
 */
public record Cause(String text, String fingerprint) {
  /** The most characters of a text. */
  public static final int LENGTH_MAX = 200;

  /** More of a reason is not looked at. */
  private static final int LOOKED_AT = 400;

  private static final Pattern LINE_END = Pattern.compile("\\R");

  /** Values that a person gave: long, or with a digit. An apostrophe within a word is no quote. */
  private static final Pattern QUOTED =
      Pattern.compile(
          "(?<!\\w)'(?:[^'\\d]{41,}|[^'\\d]*\\d[^']*)'(?!\\w)"
              + "|(?<!\\w)\"(?:[^\"\\d]{41,}|[^\"\\d]*\\d[^\"]*)\"(?!\\w)");

  /** A UUID, or a long word of letters and digits, such as a ULID. */
  private static final Pattern ID =
      Pattern.compile(
          "(?i)\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b"
              + "|\\b(?=\\d*[A-Za-z])(?=[A-Za-z]*\\d)[0-9A-Za-z]{16,}\\b");

  private static final Pattern TIME =
      Pattern.compile(
          "\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?"
              + "|\\bPT(?:\\d[\\d.]*[HMS])+|\\b\\d+(?:ms|[smhd])\\b");

  /** An address of IP version 4 or 6, or a name with a dot, or this machine, and a port. */
  private static final Pattern HOST =
      Pattern.compile(
          "\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?\\b"
              + "|\\[[0-9a-fA-F:]*:[0-9a-fA-F:.]*](?::\\d{1,5})?"
              + "|\\b(?:localhost|[A-Za-z][\\w-]*+(?:\\.[\\w-]++)++):\\d{1,5}\\b");

  private static final Pattern HOSTS = Pattern.compile("<host>(?:[;,] ?<host>)+");

  /** Also what Java appends to the class of an object that has no text of its own. */
  private static final Pattern HEX =
      Pattern.compile(
          "@[0-9a-f]{1,8}\\b|\\b0x[0-9a-fA-F]+\\b"
              + "|\\b(?=\\d*[a-fA-F])(?=[a-fA-F]*\\d)[0-9a-fA-F]{8,}\\b");

  /** Not the code of an answer or of a database, which tells causes apart. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?<![\\w])(?<!answered )(?<!HTTP )(?<!status )(?<!SQLState )(?<!SQLState: )(?<!ORA-)"
              + "\\d+(?:[.,_]\\d+)*(?![A-Z])|(?<=[a-z_])\\d+(?![A-Za-z])");

  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** The cause of a reason. */
  public static Cause of(String reason) {
    String line = LINE_END.split(reason.strip(), 2)[0];
    String text = UnicodeText.cut(line, LOOKED_AT);
    text = ID.matcher(text).replaceAll("<id>");
    text = QUOTED.matcher(text).replaceAll("<text>");
    text = TIME.matcher(text).replaceAll("<time>");
    text = HOST.matcher(text).replaceAll("<host>");
    text = HOSTS.matcher(text).replaceAll("<host>");
    text = HEX.matcher(text).replaceAll("<hex>");
    text = NUMBER.matcher(text).replaceAll("<n>");
    text = SPACE.matcher(text).replaceAll(" ").strip();
    text = UnicodeText.cut(text, LENGTH_MAX);
    return new Cause(text, HexFormat.of().toHexDigits(Sha256Names.first64(text)));
  }
}
