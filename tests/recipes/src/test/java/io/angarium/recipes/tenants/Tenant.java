package io.angarium.recipes.tenants;

import org.jspecify.annotations.Nullable;

/** The tenant that the current thread works for; a web filter sets it for each request. */
final class Tenant {
  private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

  private Tenant() {}

  /** Runs work for a tenant. */
  static void run(String tenant, Runnable work) {
    CURRENT.set(tenant);
    try {
      work.run();
    } finally {
      CURRENT.remove();
    }
  }

  /** The schema of the current tenant; null outside of {@link #run}. */
  static @Nullable String schema() {
    return CURRENT.get();
  }
}
