package io.angarium.operation;

import io.angarium.desk.MessageRow;
import io.angarium.internal.Wildcard;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages that the person who began an operation may change. It holds for every message when a
 * node reaches it. Immutable.
 *
 * @param parts a message that one of them covers is permitted
 */
public record OperationScope(List<Part> parts) implements Predicate<MessageRow> {
  /** All messages. */
  public static final OperationScope ALL =
      new OperationScope(List.of(new Part(List.of("*"), List.of("*"))));

  /**
   * Messages of some destinations and businesses. Immutable.
   *
   * @param destinations text forms, where {@code *} stands for any characters
   * @param businesses types of business objects, with the same {@code *}; a message that is about
   *     nothing is covered by the asterisk alone
   */
  public record Part(List<String> destinations, List<String> businesses) {
    /** Copies the lists. */
    public Part {
      destinations = List.copyOf(destinations);
      businesses = List.copyOf(businesses);
    }

    private boolean covers(MessageRow row) {
      return fits(destinations, row.destination()) && fits(businesses, row.businessType());
    }

    private static boolean fits(List<String> patterns, @Nullable String text) {
      return patterns.contains("*")
          || (text != null && patterns.stream().anyMatch(each -> Wildcard.of(each).fits(text)));
    }
  }

  /** Copies the list. */
  public OperationScope {
    parts = List.copyOf(parts);
  }

  /** Whether the message may be changed. */
  @Override
  public boolean test(MessageRow row) {
    return parts.stream().anyMatch(part -> part.covers(row));
  }
}
