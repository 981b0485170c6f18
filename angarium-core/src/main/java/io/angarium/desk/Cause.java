package io.angarium.desk;

import io.angarium.internal.Sha256Names;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Why messages were given up, without what differs from message to message. Two reasons have the
 * same cause if they differ in ids, times, hosts, numbers or quoted values only. Immutable.
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
  private static final int LOOKED_AT = 1_000;

  private static final Pattern LINE_END = Pattern.compile("\\R");

  /** Values that a person gave: long, or with a digit. */
  private static final Pattern QUOTED =
      Pattern.compile(
          "'(?:[^'\\d]{41,}|[^'\\d]*\\d[^']*)'|\"(?:[^\"\\d]{41,}|[^\"\\d]*\\d[^\"]*)\"");

  private static final Pattern ID =
      Pattern.compile("(?i)\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b");

  private static final Pattern TIME =
      Pattern.compile(
          "\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?"
              + "|\\bPT(?:\\d[\\d.]*[HMS])+|\\b\\d+(?:ms|[smhd])\\b");

  /** An address of IP version 4 or 6, or a name with a dot or a port of four digits. */
  private static final Pattern HOST =
      Pattern.compile(
          "\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?\\b"
              + "|\\[[0-9a-fA-F:]*:[0-9a-fA-F:.]*](?::\\d{1,5})?"
              + "|\\b[A-Za-z][\\w-]*(?:\\.[\\w-]+)*:\\d{4,5}\\b"
              + "|\\b[A-Za-z][\\w-]*(?:\\.[\\w-]+)+:\\d{1,5}\\b");

  private static final Pattern HOSTS = Pattern.compile("<host>(?:[;,] ?<host>)+");

  private static final Pattern HEX =
      Pattern.compile("\\b(?:0x[0-9a-fA-F]+|(?=\\d*[a-fA-F])(?=[a-fA-F]*\\d)[0-9a-fA-F]{8,})\\b");

  /** Not the status of an answer, which tells causes apart. */
  private static final Pattern NUMBER =
      Pattern.compile("(?<!\\d)(?<!answered )(?<!SQLState )\\d+(?:[.,_]\\d+)*");

  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** The cause of a reason. */
  public static Cause of(String reason) {
    String line = LINE_END.split(reason.strip(), 2)[0];
    String text = line.length() > LOOKED_AT ? line.substring(0, LOOKED_AT) : line;
    text = ID.matcher(text).replaceAll("<id>");
    text = QUOTED.matcher(text).replaceAll("<text>");
    text = TIME.matcher(text).replaceAll("<time>");
    text = HOST.matcher(text).replaceAll("<host>");
    text = HOSTS.matcher(text).replaceAll("<host>");
    text = HEX.matcher(text).replaceAll("<hex>");
    text = NUMBER.matcher(text).replaceAll("<n>");
    text = SPACE.matcher(text).replaceAll(" ").strip();
    text = text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) : text;
    return new Cause(text, HexFormat.of().toHexDigits(Sha256Names.first64(text)));
  }
}
