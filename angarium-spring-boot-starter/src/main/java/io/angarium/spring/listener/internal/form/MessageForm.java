package io.angarium.spring.listener.internal.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/** Where the messages of one client library carry what Angarium wrote. */
public interface MessageForm {
  /** Header with the id of the message. */
  String ID = "angarium-id";

  /** Header with the business type. */
  String BUSINESS_TYPE = "angarium-business-type";

  /** Header with the business key. */
  String BUSINESS_KEY = "angarium-business-key";

  /** The class of a message. */
  Class<?> type();

  /** Null if there is none. */
  @Nullable String id(Object message);

  /** Null if there is none. */
  @Nullable String header(Object message, String name);

  /** Where the id is looked for, for a person. */
  String idPlace();

  /** Which message it is, for a person: where it came from, nothing of its content. */
  String where(Object message);

  /** Clients differ in the type of a header's value. */
  static @Nullable String text(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    return value instanceof byte[] bytes ? new String(bytes, UTF_8) : value.toString();
  }
}
