package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.Stage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a place where a search continues. Clients keep it, so that its first part is the
 * version of the form.
 */
public final class PlaceCursor {
  private static final String VERSION = "1";
  private static final int PARTS = 6;

  private PlaceCursor() {}

  /** Writes a place of a stage in an order. */
  public static String write(Stage stage, Order order, Place place) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, place.at());
    String text =
        String.join(
            " ",
            VERSION,
            stage.name(),
            order.name(),
            Long.toString(micros),
            Long.toString(place.sequence()),
            Integer.toString(place.partition()));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads a place.
   *
   * @return null if there is no cursor
   * @throws IllegalArgumentException if the cursor is none of the stage and order
   */
  @Nullable
  public static Place read(Stage stage, Order order, @Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String[] parts = parts(cursor);
    if (parts.length != PARTS
        || !parts[0].equals(VERSION)
        || !parts[1].equals(stage.name())
        || !parts[2].equals(order.name())) {
      throw refused(stage, order, null);
    }
    try {
      return new Place(
          Instant.EPOCH.plus(Long.parseLong(parts[3]), ChronoUnit.MICROS),
          Long.parseLong(parts[4]),
          Integer.parseInt(parts[5]));
    } catch (NumberFormatException e) {
      throw refused(stage, order, e);
    }
  }

  private static String[] parts(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII)
          .split(" ", PARTS + 1);
    } catch (IllegalArgumentException e) {
      return new String[0];
    }
  }

  private static IllegalArgumentException refused(
      Stage stage, Order order, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "cursor (expected: the next of a page of stage " + stage + ", order " + order + ")", cause);
  }
}
