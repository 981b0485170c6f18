package io.angarium.micrometer;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Locale;

/**
 * The names and attributes of an attempt's span: {@code destination}, {@code route} and {@code
 * outcome} are few and become metric tags too; the message's id, key, type, business key and the
 * attempt's number are on the span only. Names follow OpenTelemetry where it has one. Thread-safe.
 */
public final class SendConvention implements ObservationConvention<SendContext> {
  /** The name of the observation. */
  public static final String NAME = "angarium.send";

  /** The message's key, by which a person finds it. */
  public static final String KEY = "angarium.message.key";

  /** The message's id. */
  public static final String ID = "messaging.message.id";

  /** The destination, however many there are. */
  public static final String DESTINATION = "messaging.destination.name";

  /** The logical type name. */
  public static final String TYPE = "angarium.message.type";

  /** Business type and key, with a slash between them. */
  public static final String BUSINESS_KEY = "angarium.business.key";

  /** The number of the attempt, from 1; attempts at an unavailable destination are not counted. */
  public static final String ATTEMPT = "angarium.attempt";

  private static final KeyValue RUNNING = KeyValue.of("outcome", KeyValue.NONE_VALUE);

  private final PerTag<Destination, KeyValue> destinations;

  /**
   * Creates the convention.
   *
   * @param destinationsMax destinations that get a tag value of their own, at least 1; all further
   *     ones share the value {@code other}
   */
  public SendConvention(int destinationsMax) {
    this.destinations = new PerTag<>(destinationsMax, tag -> KeyValue.of("destination", tag));
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return context instanceof SendContext;
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public String getContextualName(SendContext context) {
    return "send " + context.message().message().destination();
  }

  @Override
  public KeyValues getLowCardinalityKeyValues(SendContext context) {
    SendResult result = context.result();
    return KeyValues.of(
        destinations.of(context.message().message().destination()),
        KeyValue.of("route", context.route().name().toLowerCase(Locale.ROOT)),
        result == null ? RUNNING : KeyValue.of("outcome", OutcomeTag.of(result).tag()));
  }

  @Override
  public KeyValues getHighCardinalityKeyValues(SendContext context) {
    StoredMessage row = context.message();
    KeyValues values =
        KeyValues.of(
            KeyValue.of(ID, row.id().toString()),
            KeyValue.of(DESTINATION, row.message().destination().toString()),
            KeyValue.of(ATTEMPT, Integer.toString(row.attempts() + 1)));
    String key = row.message().key();
    if (key != null) {
      values = values.and(KEY, key);
    }
    String type = row.message().type();
    if (type != null) {
      values = values.and(TYPE, type);
    }
    var business = row.message().business();
    return business == null
        ? values
        : values.and(BUSINESS_KEY, business.type() + "/" + business.key());
  }
}
