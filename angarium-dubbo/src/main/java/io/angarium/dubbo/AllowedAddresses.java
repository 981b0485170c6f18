package io.angarium.dubbo;

import io.angarium.half.check.AllowedByBusiness;
import io.angarium.half.internal.remote.DubboAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Where producers may be, by business. Immutable. */
final class AllowedAddresses {
  private final AllowedByBusiness allowed;

  AllowedAddresses(Map<String, Set<String>> listed) {
    Map<String, Set<String>> origins = new HashMap<>();
    listed.forEach((businesses, entries) -> origins.put(businesses, origins(entries)));
    this.allowed = new AllowedByBusiness(origins);
  }

  private static Set<String> origins(Set<String> entries) {
    Set<String> origins = new TreeSet<>();
    for (String entry : entries) {
      DubboAddress.parse(entry).ifPresent(address -> origins.addAll(address.origins()));
    }
    return origins;
  }

  /** Why an address must not be asked; of several places each must be allowed. */
  Optional<String> refusal(String business, DubboAddress address) {
    Set<String> origins = allowed.of(business);
    return address.origins().stream()
        .filter(origin -> !origins.contains(origin))
        .findFirst()
        .map(
            origin ->
                "%s is not allowed for check-backs of %s (expected: one of the allowed addresses); add it to them"
                    .formatted(origin, business));
  }
}
