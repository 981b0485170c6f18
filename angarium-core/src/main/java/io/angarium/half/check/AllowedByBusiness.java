package io.angarium.half.check;

import io.angarium.internal.Wildcard;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is allowed for the half messages of a business, e.g. the hosts that may be asked for them.
 * It is listed by business ids in which {@code *} stands for any characters, also none; so what
 * stands under {@code *} alone is allowed for all. Immutable.
 */
public final class AllowedByBusiness {
  private final List<Entry> entries;

  private record Entry(Wildcard businesses, Set<String> allowed) {}

  /**
   * Takes what is allowed.
   *
   * @param listed by business ids, perhaps with {@code *}; nothing is allowed for those that none
   *     of them fits
   */
  public AllowedByBusiness(Map<String, ? extends Collection<String>> listed) {
    this.entries =
        listed.entrySet().stream()
            .map(each -> new Entry(Wildcard.of(each.getKey()), Set.copyOf(each.getValue())))
            .toList();
  }

  /** What stands under each entry that the business id fits, in order; perhaps nothing. */
  public Set<String> of(String business) {
    Set<String> allowed = new TreeSet<>();
    for (Entry each : entries) {
      if (each.businesses().fits(business)) {
        allowed.addAll(each.allowed());
      }
    }
    return allowed;
  }
}
