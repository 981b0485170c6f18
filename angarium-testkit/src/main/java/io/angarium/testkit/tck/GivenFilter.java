package io.angarium.testkit.tck;

import io.angarium.MessageId;
import io.angarium.desk.MessageFilter;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a {@link MessageFilter} by name. Not thread-safe: one thread at a time. */
final class GivenFilter {
  private List<String> destinations = List.of();
  private @Nullable String key;
  private Set<MessageId> ids = Set.of();
  private @Nullable String type;
  private @Nullable String businessType;
  private @Nullable String businessKey;
  private @Nullable String createdBy;
  private @Nullable String errorHas;
  private @Nullable String cause;
  private @Nullable Instant from;
  private @Nullable Instant to;
  private @Nullable Boolean blocksKey;
  private int attemptsMin;

  GivenFilter destinations(String... texts) {
    destinations = List.of(texts);
    return this;
  }

  GivenFilter key(String text) {
    key = text;
    return this;
  }

  GivenFilter ids(MessageId... few) {
    ids = Set.of(few);
    return this;
  }

  GivenFilter type(String text) {
    type = text;
    return this;
  }

  GivenFilter businessType(String text) {
    businessType = text;
    return this;
  }

  GivenFilter businessKey(String text) {
    businessKey = text;
    return this;
  }

  GivenFilter createdBy(String text) {
    createdBy = text;
    return this;
  }

  GivenFilter errorHas(String text) {
    errorHas = text;
    return this;
  }

  GivenFilter cause(String fingerprint) {
    cause = fingerprint;
    return this;
  }

  GivenFilter from(Instant since) {
    from = since;
    return this;
  }

  GivenFilter to(Instant until) {
    to = until;
    return this;
  }

  GivenFilter blocksKey(boolean blocks) {
    blocksKey = blocks;
    return this;
  }

  GivenFilter attemptsMin(int attempts) {
    attemptsMin = attempts;
    return this;
  }

  MessageFilter filter() {
    return new MessageFilter(
        destinations,
        key,
        ids,
        type,
        businessType,
        businessKey,
        createdBy,
        errorHas,
        cause,
        from,
        to,
        blocksKey,
        attemptsMin);
  }
}
