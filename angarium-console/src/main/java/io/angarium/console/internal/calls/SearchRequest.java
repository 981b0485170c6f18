package io.angarium.console.internal.calls;

import io.angarium.MessageId;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.Stage;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which messages are meant, as requests say it; see {@link MessageFilter}. Immutable.
 *
 * @param stage in lower case; a filter of something that implies its stage has none
 * @param limit messages of a page
 * @param cursor next of the page before
 */
record SearchRequest(
    @Nullable String stage,
    @Nullable List<String> destinations,
    @Nullable String key,
    @Nullable List<String> ids,
    @Nullable String type,
    @Nullable Business business,
    @Nullable String createdBy,
    @Nullable String reasonHas,
    @Nullable String cause,
    @Nullable String from,
    @Nullable String to,
    @Nullable Boolean blocksKey,
    @Nullable Integer attemptsMin,
    @Nullable String order,
    @Nullable Integer limit,
    @Nullable String cursor) {
  /** What a message is about. Immutable. */
  record Business(@Nullable String type, @Nullable String key) {}

  /** The filter in it. */
  MessageFilter filter() {
    try {
      return new MessageFilter(
          destinations == null ? List.of() : destinations,
          key,
          ids(ids, 0, MessageFilter.IDS_MAX),
          type,
          business == null ? null : business.type(),
          business == null ? null : business.key(),
          createdBy,
          reasonHas,
          cause,
          Call.instant("from", from),
          Call.instant("to", to),
          blocksKey,
          attemptsMin == null ? 0 : attemptsMin);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  /** A filter without what belongs to pages, of a stage that something else implies. */
  static MessageFilter filterOf(@Nullable SearchRequest given, Stage implied) {
    if (given == null) {
      throw Problem.invalid("filter: none (expected: one, {} for all)");
    }
    if (given.limit() != null || given.cursor() != null || given.order() != null) {
      throw Problem.invalid("filter: with limit, cursor or order (expected: none of them)");
    }
    if (given.stage() != null && Call.choice("stage", Stage.class, given.stage()) != implied) {
      throw Problem.invalid(
          "stage: '%s' (expected: %s or none)"
              .formatted(given.stage(), implied.name().toLowerCase(Locale.ROOT)));
    }
    return given.filter();
  }

  /** Ids of messages, each once. */
  static Set<MessageId> ids(@Nullable List<String> texts, int min, int max) {
    List<String> given = texts == null ? List.of() : texts;
    if (given.size() < min || given.size() > max) {
      throw Problem.invalid("ids: " + given.size() + " (expected: " + min + ".." + max + ")");
    }
    Set<MessageId> ids = new LinkedHashSet<>();
    given.forEach(text -> ids.add(new MessageId(Call.uuid("ids", text))));
    return ids;
  }
}
