package io.angarium.console.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets in who shows a key, as a bearer token or on the page. Only hashes of keys are kept.
 * Thread-safe.
 */
public final class KeyAccess implements SecretAccess {
  private static final String BEARER = "bearer ";

  private final List<HashedKey> keys;

  /** A key, by its hash, and whose it is. Immutable. */
  public record HashedKey(KeyHash hash, Operator operator) {}

  /** Creates it with the keys that are known. */
  public KeyAccess(List<HashedKey> keys) {
    this.keys = List.copyOf(keys);
  }

  @Override
  public String way() {
    return "key";
  }

  @Override
  public Optional<Operator> operator(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    return header == null || !header.toLowerCase(Locale.ROOT).startsWith(BEARER)
        ? Optional.empty()
        : ofSecret(request, header.substring(BEARER.length()).strip());
  }

  /** Takes as long for a wrong key as for a right one. */
  @Override
  public Optional<Operator> ofSecret(HttpServletRequest request, String secret) {
    KeyHash shown = KeyHash.of(secret);
    List<Operator> found = new ArrayList<>();
    for (HashedKey key : keys) {
      if (key.hash().isSame(shown)) {
        found.add(key.operator());
      }
    }
    return found.stream().findFirst();
  }

  @Override
  public Optional<Operator> named(String name) {
    return keys.stream().map(HashedKey::operator).filter(o -> o.name().equals(name)).findFirst();
  }
}
