package io.angarium.console.access;

import io.angarium.desk.MessageRow;
import io.angarium.internal.Wildcard;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rights over a part of the messages. Immutable.
 *
 * @param rights what may be done
 * @param destinations text forms of destinations, where {@code *} stands for any characters
 * @param businesses types of business objects, with the same {@code *}; a message that is about
 *     nothing is covered by the asterisk alone
 */
public record Grant(Set<Right> rights, List<String> destinations, List<String> businesses) {
  /** Copies the collections. */
  public Grant {
    rights = Set.copyOf(rights);
    destinations = List.copyOf(destinations);
    businesses = List.copyOf(businesses);
  }

  /** Rights over all messages. */
  public static Grant ofAll(Set<Right> rights) {
    return new Grant(rights, List.of("*"), List.of("*"));
  }

  /** Whether it covers the messages of every destination and business. */
  boolean coversAll() {
    return destinations.contains("*") && businesses.contains("*");
  }

  boolean covers(MessageRow row) {
    return coversDestination(row.destination()) && coversBusiness(row.businessType());
  }

  boolean coversDestination(String destination) {
    return destinations.stream().anyMatch(each -> Wildcard.of(each).fits(destination));
  }

  boolean coversBusiness(@Nullable String business) {
    return businesses.contains("*")
        || (business != null
            && businesses.stream().anyMatch(each -> Wildcard.of(each).fits(business)));
  }
}
