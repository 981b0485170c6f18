package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.grpc.GrpcCheckBackConfig;
import io.angarium.server.grpc.GrpcProducers;
import io.angarium.server.grpc.GrpcServing;
import io.angarium.server.settings.CheckBackProperties;
import io.angarium.server.settings.GrpcProperties;
import io.angarium.server.settings.ServerProperties;
import java.io.IOException;
import org.springframework.util.unit.DataSize;

/** Everything that is wrong with what the server does over gRPC. */
final class GrpcFaults {
  private static final String PREFIX = ServerProperties.PREFIX + ".grpc.";
  private static final DataSize REQUEST_MIN = DataSize.ofKilobytes(64);
  private static final DataSize REQUEST_MAX = DataSize.ofMegabytes(128);
  private static final int REQUESTS_MAX = 10_000;
  private static final int PORT_MAX = 65_535;

  private final ConfigFaults faults;

  private GrpcFaults(ConfigFaults faults) {
    this.faults = faults;
  }

  static void gather(ServerProperties properties, ConfigFaults faults) {
    GrpcFaults gathered = new GrpcFaults(faults);
    if (properties.grpc().enabled()) {
      gathered.check(properties.grpc());
      Openness.check(PREFIX + "host", properties.grpc().host(), !properties.asksWho(), faults);
    }
    gathered.check(properties.checkBack().grpc());
  }

  private void check(GrpcProperties grpc) {
    faults
        .require(
            Openness.isAddress(grpc.host()),
            PREFIX + "host",
            "'" + grpc.host() + "'",
            "an address of this machine, or 0.0.0.0 for all")
        .range(PREFIX + "port", grpc.port(), 0, PORT_MAX)
        .range(PREFIX + "requests", grpc.requests(), 1, REQUESTS_MAX)
        .require(
            grpc.requestMax().compareTo(REQUEST_MIN) >= 0
                && grpc.requestMax().compareTo(REQUEST_MAX) <= 0,
            PREFIX + "request-max",
            grpc.requestMax(),
            REQUEST_MIN + ".." + REQUEST_MAX);
    boolean both = (grpc.certificate() == null) == (grpc.privateKey() == null);
    faults
        .require(both, PREFIX + "certificate", grpc.certificate(), "a file, and private-key, too")
        .require(
            grpc.clientCertificates() == null || grpc.certificate() != null,
            PREFIX + "client-certificates",
            grpc.clientCertificates(),
            "none without certificate and private-key");
    if (both && grpc.certificate() != null) {
      checkFiles(grpc);
    }
  }

  /** By reading them, as only that tells whether they are certificates. */
  private void checkFiles(GrpcProperties grpc) {
    GrpcProperties elsewhere =
        new GrpcProperties(
            true,
            "127.0.0.1",
            0,
            grpc.certificate(),
            grpc.privateKey(),
            grpc.clientCertificates(),
            REQUEST_MIN,
            1,
            1,
            false,
            false);
    try {
      var unused = GrpcServing.builder(elsewhere);
    } catch (IOException | RuntimeException e) {
      faults.require(
          false,
          PREFIX + "certificate",
          grpc.certificate() + " and " + grpc.privateKey(),
          "files of PEM with certificates, and a key in PKCS#8; " + e);
    }
  }

  private void check(CheckBackProperties.Grpc given) {
    if (given.hosts().isEmpty()) {
      faults.require(
          given.trustedCertificates() == null,
          ServerProperties.PREFIX + ".check-back.grpc.allowed-hosts",
          "none",
          "hosts, as trusted-certificates is set");
      return;
    }
    try {
      GrpcCheckBackConfig.allowing(given.hosts());
    } catch (ConfigurationException e) {
      e.faults().forEach(fault -> faults.add(ServerProperties.PREFIX + "." + fault));
    }
    try {
      var unused = GrpcProducers.credentials(given);
    } catch (IOException | RuntimeException e) {
      faults.require(
          false,
          ServerProperties.PREFIX + ".check-back.grpc.trusted-certificates",
          given.trustedCertificates(),
          "a file of PEM with certificates; " + e);
    }
  }
}
