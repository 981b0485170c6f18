package io.angarium.examples.consoledemo.scene;

import java.util.List;
import java.util.Locale;

/** What the messages of the shop contain: numbers of 20 digits, persons, pictures. */
final class Payloads {
  private static final List<String> CUSTOMERS =
      List.of(
          "Ada Lovelace",
          "\u738b\u5c0f\u660e",
          "\u0141ukasz \u017b\u00f3\u0142\u0107",
          "\u041e\u043b\u0435\u043d\u0430 \u0428\u0435\u0432\u0447\u0435\u043d\u043a\u043e",
          "\u0645\u062d\u0645\u062f \u0639\u0644\u064a");

  private static final int LABEL_BYTES = 2_048;

  private Payloads() {}

  /**
   * An order.
   *
   * @param lines how many articles it has; one takes about a hundred bytes
   */
  static String order(int number, int lines) {
    StringBuilder json = new StringBuilder(256 + 110 * lines);
    json.append(
        String.format(
            Locale.ROOT,
            "{\"orderId\":900719925474%08d,\"order\":\"order-%d\",\"total\":%d.500,\"customer\":{\"name\":\"%s\",\"phone\":\"+43"
                + " 660 %07d\",\"card\":\"4111 1111 1111 %04d\"},\"lines\":[",
            number,
            number,
            20 + number % 400,
            CUSTOMERS.get(number % CUSTOMERS.size()),
            number,
            number % 10_000));
    for (int line = 1; line <= lines; line++) {
      json.append(line == 1 ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"line\":%d,\"article\":\"A-%06d\",\"name\":\"article of the spring"
                      + " catalogue\",\"quantity\":%d,\"price\":%d.90}",
                  line,
                  (number * 31 + line * 17) % 1_000_000,
                  1 + line % 4,
                  5 + line % 95));
    }
    return json.append("]}").toString();
  }

  /** A change of the stock. */
  static String stock(int number) {
    return "{\"article\":\"A-%06d\",\"quantity\":%d,\"warehouse\":\"Linz\"}"
        .formatted(number, 1 + number % 9);
  }

  /** A mail, which is text and no JSON. */
  static String mail(int number) {
    return "Dear customer %d,\nthe spring catalogue is here.\nYours, the shop".formatted(number);
  }

  /** A picture of a label, which is neither JSON nor text. */
  static byte[] label() {
    byte[] bytes = new byte[LABEL_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((i * 37) ^ (i >>> 3));
    }
    byte[] begin = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    System.arraycopy(begin, 0, bytes, 0, begin.length);
    return bytes;
  }
}
