package io.angarium.half.internal.remote;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a call for half messages where they have names, in JSON and in maps. */
public final class CallFields {
  public static final String STEP = "step";
  public static final String BUSINESS = "business";
  public static final String KEY = "key";
  public static final String DESTINATION = "destination";
  public static final String MESSAGE_KEY = "messageKey";
  public static final String TYPE = "type";
  public static final String BUSINESS_TYPE = "businessType";
  public static final String BUSINESS_KEY = "businessKey";
  public static final String CREATED_BY = "createdBy";
  public static final String DELAY = "delay";
  public static final String NOT_BEFORE = "notBefore";
  public static final String CHECK_BACK = "checkBack";
  public static final String WHEN_UNKNOWN = "whenUnknown";

  /** An object of texts. */
  public static final String HEADERS = "headers";

  /** Bytes, or Base64 where there are only texts. */
  public static final String PAYLOAD = "payload";

  /** The payload as text, in the place of the other. */
  public static final String TEXT = "text";

  /** The fields of a key. */
  public static final Set<String> OF_KEY = Set.of(BUSINESS, KEY);

  private static final Set<String> OF_DECISION = Set.of(STEP, BUSINESS, KEY, WHEN_UNKNOWN);

  private static final Set<String> OF_PREPARE =
      Set.of(
          STEP,
          BUSINESS,
          KEY,
          DESTINATION,
          MESSAGE_KEY,
          TYPE,
          BUSINESS_TYPE,
          BUSINESS_KEY,
          CREATED_BY,
          DELAY,
          NOT_BEFORE,
          CHECK_BACK,
          HEADERS,
          PAYLOAD,
          TEXT);

  static final String PREPARE = "prepare";
  static final String COMMIT = "commit";
  static final String ROLLBACK = "rollback";
  static final String REFUSE = "refuse";
  static final String REMEMBER = "remember";

  private CallFields() {}

  /**
   * Returns the fields that a call may have.
   *
   * @param step which call; with any other value, the fields of every kind
   */
  public static Set<String> of(@Nullable Object step) {
    if (COMMIT.equals(step) || ROLLBACK.equals(step)) {
      return OF_DECISION;
    }
    if (PREPARE.equals(step)) {
      return OF_PREPARE;
    }
    Set<String> all = new HashSet<>(OF_PREPARE);
    all.addAll(OF_DECISION);
    return all;
  }

  /** Takes the fields of a call, in a fixed order. */
  public interface Sink<E extends Exception> {
    /** Takes a field that is a text. */
    void text(String field, String value) throws E;

    /** Takes the headers; there is at least one. */
    void headers(Map<String, String> headers) throws E;

    /** Takes the payload. */
    void payload(byte[] payload) throws E;
  }

  /** Writes a call. */
  public static <E extends Exception> void write(HalfCall call, Sink<E> sink) throws E {
    if (call instanceof HalfCall.Prepare prepare) {
      sink.text(STEP, PREPARE);
      write(call.key(), sink);
      write(prepare.message(), sink);
    } else if (call instanceof HalfCall.Commit commit) {
      sink.text(STEP, COMMIT);
      write(call.key(), sink);
      write(commit.whenUnknown(), sink);
    } else if (call instanceof HalfCall.Rollback rollback) {
      sink.text(STEP, ROLLBACK);
      write(call.key(), sink);
      write(rollback.whenUnknown(), sink);
    }
  }

  /** Writes a key. */
  public static <E extends Exception> void write(HalfKey key, Sink<E> sink) throws E {
    sink.text(BUSINESS, key.business());
    sink.text(KEY, key.key());
  }

  private static <E extends Exception> void write(WhenUnknown whenUnknown, Sink<E> sink) throws E {
    if (whenUnknown == WhenUnknown.REMEMBER) {
      sink.text(WHEN_UNKNOWN, REMEMBER);
    }
  }

  private static <E extends Exception> void write(HalfMessage half, Sink<E> sink) throws E {
    Message message = half.message();
    optional(sink, DESTINATION, message.destination());
    optional(sink, MESSAGE_KEY, message.key());
    optional(sink, TYPE, message.type());
    optional(sink, CREATED_BY, message.createdBy());
    optional(sink, NOT_BEFORE, message.notBefore());
    BusinessKey business = message.business();
    if (business != null) {
      sink.text(BUSINESS_TYPE, business.type());
      sink.text(BUSINESS_KEY, business.key());
    }
    if (!message.headers().isEmpty()) {
      sink.headers(message.headers().asMap());
    }
    optional(sink, DELAY, half.delay().isZero() ? null : half.delay());
    optional(sink, CHECK_BACK, half.checkBack());
    sink.payload(message.payload());
  }

  private static <E extends Exception> void optional(
      Sink<E> sink, String field, @Nullable Object value) throws E {
    if (value != null) {
      sink.text(field, value.toString());
    }
  }
}
