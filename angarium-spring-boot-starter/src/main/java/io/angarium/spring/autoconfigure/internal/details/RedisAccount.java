package io.angarium.spring.autoconfigure.internal.details;

import org.jspecify.annotations.Nullable;

/**
 * An account at Redis or at its sentinels. Immutable.
 *
 * @param username null for Redis's default user
 * @param password null for none
 */
public record RedisAccount(@Nullable String username, @Nullable String password) {
  public static final RedisAccount NONE = new RedisAccount(null, null);

  /** Never the password. */
  @Override
  public String toString() {
    return "RedisAccount[" + username + "]";
  }
}
