package io.angarium.dubbo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Where producers may be, by business. Immutable. */
final class AllowedAddresses {
  private final Map<String, Set<String>> byBusiness = new HashMap<>();
  private final Set<String> forAll;

  AllowedAddresses(Map<String, Set<String>> listed) {
    forAll = origins(listed.getOrDefault(DubboCheckBackConfig.EVERY_BUSINESS, Set.of()));
    listed.forEach(
        (business, entries) -> {
          Set<String> both = origins(entries);
          both.addAll(forAll);
          byBusiness.put(business, both);
        });
  }

  private static Set<String> origins(Set<String> entries) {
    Set<String> origins = new HashSet<>();
    for (String entry : entries) {
      DubboAddress.parse(entry).ifPresent(address -> origins.addAll(address.origins()));
    }
    return origins;
  }

  /** Why an address must not be asked; of several places each must be allowed. */
  Optional<String> refusal(String business, DubboAddress address) {
    Set<String> allowed = byBusiness.getOrDefault(business, forAll);
    return address.origins().stream()
        .filter(origin -> !allowed.contains(origin))
        .findFirst()
        .map(
            origin ->
                "%s is not allowed for check-backs of %s (expected: one of %s); add it to the allowed addresses"
                    .formatted(origin, business, new TreeSet<>(allowed)));
  }
}
