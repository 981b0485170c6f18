package io.angarium.confirmation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.angarium.MessageId;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The form in which receipts travel: the ids of the messages, one in a line, in the usual 36
 * characters of a UUID. Other languages can write it without a library.
 */
public final class ReceiptText {
  /** The type of such messages. */
  public static final String TYPE = "angarium.receipts";

  private static final int SHOWN = 60;

  private ReceiptText() {}

  /** Writes receipts. */
  public static byte[] encode(Collection<MessageId> ids) {
    return ids.stream()
        .map(MessageId::toString)
        .collect(Collectors.joining("\n"))
        .getBytes(US_ASCII);
  }

  /**
   * Reads receipts. Empty lines are passed over.
   *
   * @throws IllegalArgumentException if a line is no UUID; names it
   */
  public static List<MessageId> decode(byte[] text) {
    return lines(text).map(ReceiptText::id).toList();
  }

  /** The lines that are not empty. */
  static Stream<String> lines(byte[] text) {
    return new String(text, US_ASCII).lines().map(String::strip).filter(line -> !line.isEmpty());
  }

  /**
   * Reads one line.
   *
   * @throws IllegalArgumentException if it is no UUID; names it
   */
  static MessageId id(String line) {
    try {
      return MessageId.parse(line);
    } catch (IllegalArgumentException e) {
      String shown = line.substring(0, Math.min(SHOWN, line.length()));
      throw new IllegalArgumentException(
          "receipt: '" + shown + "' (expected: the id of a message in each line)", e);
    }
  }
}
