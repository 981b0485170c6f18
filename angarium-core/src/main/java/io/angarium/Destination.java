package io.angarium;

/**
 * Where a message goes: a transport and an address that this transport understands. Without a
 * transport ({@code orders}) it goes to the default one. Order per key holds within one
 * destination, so write a destination in one form only. Immutable.
 *
 * <ul>
 *   <li>{@code kafka:topic}
 *   <li>{@code rabbitmq:exchange/routing.key}: up to the first slash it is the exchange; {@code
 *       rabbitmq:/queue} is the default exchange, that is a queue by its name
 *   <li>{@code rocketmq:topic} or {@code rocketmq:topic:tag}
 *   <li>{@code http:hook}, the name of a web hook, or {@code http:https://host/path}
 *   <li>{@code handler:name}, a handler of this application
 * </ul>
 *
 * The form of the address is checked when a message is sent, not here: what once stood in a
 * database can always be read. Where the process has the transport, it is asked as well, see {@code
 * AddressCheck}.
 *
 * @param transport the transport's name in lower case, or empty for the default transport
 * @param address what the transport calls it, e.g. a topic; printable characters, not empty
 */
public record Destination(String transport, String address) {
  /** The longest text form, in characters. */
  public static final int LENGTH_MAX = 512;

  /** Checks the parts. */
  public Destination {
    boolean wellFormed =
        !address.isBlank()
            && isPrintable(address)
            && (transport.isEmpty() || isTransportName(transport))
            && transport.length() + 1 + address.length() <= LENGTH_MAX;
    if (!wellFormed) {
      throw new InvalidMessageException(
          "destination: '"
              + (transport.isEmpty() ? address : transport + ":" + address)
              + "' (expected: transport:address or address, e.g. kafka:orders, at most "
              + LENGTH_MAX
              + " characters)");
    }
  }

  /**
   * Reads the text form; a prefix up to the first colon names the transport.
   *
   * @throws InvalidMessageException if the text is blank, too long or holds control characters
   */
  public static Destination parse(String text) {
    int colon = text.indexOf(':');
    return colon > 0 && isTransportName(text.substring(0, colon))
        ? new Destination(text.substring(0, colon), text.substring(colon + 1))
        : new Destination("", text);
  }

  // loops, since there is one for each message that is sent
  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTransportName(String text) {
    if (!isLetter(text.charAt(0))) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isLetter(c) && (c < '0' || c > '9') && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  /** The text form, which {@link #parse} reads. */
  @Override
  public String toString() {
    return transport.isEmpty() ? address : transport + ":" + address;
  }
}
