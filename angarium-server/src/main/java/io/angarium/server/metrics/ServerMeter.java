package io.angarium.server.metrics;

import io.micrometer.core.instrument.Meter;
import java.util.List;

/** Every meter of the server itself, as {@code docs/server.md} lists them. */
public enum ServerMeter {
  REQUESTS(
      "angarium.server.requests",
      Meter.Type.COUNTER,
      List.of("way"),
      "Requests of producers over gRPC and Dubbo, and records of the intake from Kafka"),

  REFUSALS(
      "angarium.server.refusals",
      Meter.Type.COUNTER,
      List.of("way", "code"),
      "Requests over gRPC and Dubbo that were refused, and records that became dead letters"),

  BODY_MEMORY(
      "angarium.server.body.memory",
      Meter.Type.GAUGE,
      List.of(),
      "Bytes of request bodies that are in memory now; angarium.server.memory is their limit"),

  INTAKE_LAG(
      "angarium.server.intake.lag",
      Meter.Type.GAUGE,
      List.of(),
      "Records in Kafka that the intake of this node has still to read");

  private final String meterName;
  private final Meter.Type type;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> tagKeys;

  private final String description;

  ServerMeter(String meterName, Meter.Type type, List<String> tagKeys, String description) {
    this.meterName = meterName;
    this.type = type;
    this.tagKeys = tagKeys;
    this.description = description;
  }

  public String meterName() {
    return meterName;
  }

  public Meter.Type type() {
    return type;
  }

  public List<String> tagKeys() {
    return tagKeys;
  }

  public String description() {
    return description;
  }
}
