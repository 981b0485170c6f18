package io.angarium.micrometer;

import io.angarium.transport.SendResult;
import java.util.Locale;

/** How an attempt ended, as a tag value. */
enum OutcomeTag {
  ACKNOWLEDGED,
  FAILED,
  REFUSED,
  UNAVAILABLE;

  private final String tag = name().toLowerCase(Locale.ROOT);

  static OutcomeTag of(SendResult result) {
    if (result instanceof SendResult.Acknowledged) {
      return ACKNOWLEDGED;
    }
    if (result instanceof SendResult.Refused) {
      return REFUSED;
    }
    return result instanceof SendResult.Unavailable ? UNAVAILABLE : FAILED;
  }

  String tag() {
    return tag;
  }
}
