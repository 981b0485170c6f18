package io.angarium.spring.autoconfigure.internal.details;

import io.angarium.ConfigurationException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;

/** Finds certificates and keys that Spring Boot knows, for Angarium's own clients. */
public final class SharedTls {
  private SharedTls() {}

  /**
   * The SSL bundle that a property names.
   *
   * @param property full name of the property, for the fault
   * @param name null for none
   * @throws ConfigurationException if there is no such bundle
   */
  static @Nullable SslBundle bundle(
      ApplicationContext context, String property, @Nullable String name) {
    if (name == null || name.isBlank()) {
      return null;
    }
    SslBundles bundles = context.getBeanProvider(SslBundles.class).getIfAvailable();
    if (bundles == null) {
      throw fault(property, name, "no name, as the application has no bean of SslBundles");
    }
    try {
      return bundles.getBundle(name);
    } catch (NoSuchSslBundleException e) {
      throw fault(property, name, "the name of a bundle below spring.ssl.bundle");
    } catch (RuntimeException e) {
      throw fault(property, name, "a bundle whose files can be read; " + e.getMessage());
    }
  }

  /**
   * The SSL context of a bundle.
   *
   * @param origin what named the bundle, for the fault
   * @throws ConfigurationException if its key store or trust store cannot be read
   */
  public static @Nullable SSLContext context(String origin, @Nullable SslBundle bundle) {
    if (bundle == null) {
      return null;
    }
    try {
      return bundle.createSslContext();
    } catch (RuntimeException e) {
      throw fault(origin, "an SSL bundle", "key store and trust store that can be read; " + why(e));
    }
  }

  private static String why(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.toString();
  }

  private static ConfigurationException fault(String property, String value, String expected) {
    return new ConfigurationException(
        List.of(property + ": " + value + " (expected: " + expected + ")"));
  }
}
