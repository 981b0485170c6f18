package io.angarium.spring.autoconfigure.internal.details;

import io.angarium.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;

/**
 * How the application's own connections reach RabbitMQ: by connection details, or else by the
 * properties below {@code spring.rabbitmq}. Immutable.
 *
 * @param addresses null if none are named
 * @param fromDetails whether a bean of connection details names them
 * @param tls whether RabbitMQ is reached by TLS where the address has no scheme; null if nothing
 *     says so
 * @param bundle trusted certificates and the client's own key; null for none
 * @param tlsFaults what is wrong with TLS, if it is used
 */
public record RabbitDefaults(
    @Nullable String addresses,
    boolean fromDetails,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    @Nullable Boolean tls,
    @Nullable SslBundle bundle,
    List<String> tlsFaults) {

  public static RabbitDefaults of(ApplicationContext context) {
    SpringRabbit spring = SpringRabbit.of(context.getEnvironment());
    RabbitDetails details = DetailsReader.read(context, RabbitDetails.class).orElse(null);
    List<String> faults = new ArrayList<>(weakened(spring.ssl()));
    SslBundle bundle = details == null ? null : details.bundle();
    if (bundle == null) {
      bundle = bundle(context, spring.ssl(), faults);
    }
    boolean on = (details != null && details.bundle() != null) || spring.ssl().isOn();
    Boolean tls = on ? Boolean.TRUE : spring.ssl().enabled();
    return details == null
        ? new RabbitDefaults(
            spring.uri(),
            false,
            spring.username(),
            spring.password(),
            spring.virtualHost(),
            tls,
            bundle,
            List.copyOf(faults))
        : new RabbitDefaults(
            details.addresses(),
            true,
            details.username(),
            details.password(),
            details.virtualHost(),
            Boolean.TRUE.equals(tls),
            bundle,
            List.copyOf(faults));
  }

  private static @Nullable SslBundle bundle(
      ApplicationContext context, SpringRabbit.Ssl ssl, List<String> faults) {
    try {
      SslBundle named = SharedTls.bundle(context, SpringRabbit.PREFIX + "ssl.bundle", ssl.bundle());
      return named == null ? ssl.stores() : named;
    } catch (ConfigurationException e) {
      faults.addAll(e.faults());
      return null;
    }
  }

  /** Angarium always checks the broker's certificate and its name. */
  private static List<String> weakened(SpringRabbit.Ssl ssl) {
    List<String> faults = new ArrayList<>();
    if (!ssl.validateServerCertificate()) {
      faults.add(weak("validate-server-certificate"));
    }
    if (!ssl.verifyHostname()) {
      faults.add(weak("verify-hostname"));
    }
    return faults;
  }

  private static String weak(String property) {
    return SpringRabbit.PREFIX
        + "ssl."
        + property
        + ": false (expected: true; Angarium always verifies the broker's certificate. Trust it by"
        + " spring.rabbitmq.ssl.bundle, or give Angarium addresses of its own in"
        + " angarium.rabbitmq.addresses with angarium.rabbitmq.trusted-certificates)";
  }

  /** Never the password, which may be in an address, too. */
  @Override
  public String toString() {
    return "RabbitDefaults[fromDetails=%s, tls=%s]".formatted(fromDetails, tls);
  }
}
