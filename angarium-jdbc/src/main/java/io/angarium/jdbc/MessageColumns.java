package io.angarium.jdbc;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.store.NewMessage;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of a message goes into which column. */
final class MessageColumns {
  private static final int REASON_LENGTH_MAX = 1_000;

  private MessageColumns() {}

  /**
   * The values of partition_no, message_id, destination, message_key, message_type, headers,
   * business_type, business_key, created_by, payload.
   */
  static List<@Nullable Object> values(NewMessage message) {
    Message content = message.message();
    return Arrays.asList(
        message.partition(),
        message.id().value(),
        content.destination().toString(),
        content.key(),
        content.type(),
        content.headers().encode(),
        businessType(message),
        businessKey(message),
        content.createdBy(),
        content.payload());
  }

  static @Nullable String businessType(NewMessage message) {
    BusinessKey business = message.message().business();
    return business == null ? null : business.type();
  }

  static @Nullable String businessKey(NewMessage message) {
    BusinessKey business = message.message().business();
    return business == null ? null : business.key();
  }

  /** A reason as long as its column; whole characters, without NUL, which some databases refuse. */
  static @Nullable String cut(@Nullable String reason) {
    if (reason == null) {
      return null;
    }
    String clean = reason.replace('\u0000', ' ');
    if (clean.length() <= REASON_LENGTH_MAX) {
      return clean;
    }
    int end =
        Character.isHighSurrogate(clean.charAt(REASON_LENGTH_MAX - 1))
            ? REASON_LENGTH_MAX - 1
            : REASON_LENGTH_MAX;
    return clean.substring(0, end);
  }
}
