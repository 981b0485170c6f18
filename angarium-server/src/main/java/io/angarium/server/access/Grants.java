package io.angarium.server.access;

import com.nimbusds.jwt.JWTClaimsSet;
import io.angarium.server.settings.OAuth2Properties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What tokens permit, by what stands in them. Immutable. */
public final class Grants {
  /** Where several values are one text, with spaces. */
  public static final Set<String> OF_SEVERAL_WORDS = Set.of("scope", "scp");

  private final List<Known> known = new ArrayList<>();

  private record Known(OAuth2Properties.Grant grant, Permissions permissions) {}

  /**
   * What one token permits. Immutable.
   *
   * @param permissions of each grant that it has; what one of them permits is permitted
   * @param rate the largest of theirs; null for any number
   */
  public record Granted(List<Permissions> permissions, @Nullable Integer rate) {}

  public Grants(Map<String, OAuth2Properties.Grant> given) {
    new TreeMap<>(given)
        .forEach(
            (name, grant) -> {
              String property = OAuth2Properties.PREFIX + ".grants." + name;
              known.add(new Known(grant, Permissions.of(property, grant)));
            });
  }

  /** What these claims permit; nothing if no grant fits them. */
  public Granted of(JWTClaimsSet claims) {
    List<Known> found =
        known.stream().filter(each -> isGranted(each.grant(), claims.getClaims())).toList();
    boolean limited = found.stream().allMatch(each -> each.grant().rate() != null);
    int rate = 0;
    for (Known each : found) {
      Integer its = each.grant().rate();
      rate = its == null ? rate : Math.max(rate, its);
    }
    return new Granted(found.stream().map(Known::permissions).toList(), limited ? rate : null);
  }

  private static boolean isGranted(OAuth2Properties.Grant grant, Map<String, ?> claims) {
    Set<String> values = values(grant.claim(), claims);
    return grant.values().stream().anyMatch(values::contains);
  }

  private static Set<String> values(String claim, Map<String, ?> claims) {
    Object value = claims.containsKey(claim) ? claims.get(claim) : inside(claim, claims);
    Set<String> values = new TreeSet<>();
    if (value instanceof String text) {
      values.addAll(OF_SEVERAL_WORDS.contains(claim) ? List.of(text.split(" ")) : List.of(text));
    } else if (value instanceof Collection<?> several) {
      for (Object each : several) {
        if (each instanceof String text) {
          values.add(text);
        }
      }
    }
    return values;
  }

  /** What a path leads to; null if nothing. */
  private static @Nullable Object inside(String path, Map<String, ?> claims) {
    Object value = claims;
    for (String part : path.split("\\.", -1)) {
      value = value instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return value;
  }
}
