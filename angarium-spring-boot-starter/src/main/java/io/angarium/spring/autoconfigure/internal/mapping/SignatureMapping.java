package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigurationException;
import io.angarium.http.signature.HttpSignature;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What verifies requests to paths of this application; null if they need not be signed. Throws a
 * {@link ConfigurationException} if secrets are given, and there is none or one of another form.
 * Apart, as the module need not be present.
 */
public final class SignatureMapping {
  private SignatureMapping() {}

  public static @Nullable HttpSignature of(AngariumProperties.CheckBackEndpoint given) {
    return of(EndpointMapping.CHECK_BACK, given.secrets());
  }

  public static @Nullable HttpSignature of(AngariumProperties.ReceiptsEndpoint given) {
    return of(EndpointMapping.RECEIPTS, given.secrets());
  }

  private static @Nullable HttpSignature of(String prefix, @Nullable List<String> secrets) {
    if (secrets == null) {
      return null;
    }
    try {
      return HttpSignature.of(secrets);
    } catch (ConfigurationException e) {
      throw new ConfigurationException(e.faults().stream().map(fault -> prefix + fault).toList());
    }
  }
}
