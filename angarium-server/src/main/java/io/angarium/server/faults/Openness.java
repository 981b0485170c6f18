package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import io.angarium.server.settings.ServerProperties;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Whether others than this machine can reach an address, which wants API keys or tokens. */
final class Openness {
  private Openness() {}

  /** Adds a fault where others can reach an address and nobody is asked who it is. */
  static void check(String property, String address, boolean nobodyIsAsked, ConfigFaults faults) {
    faults.require(
        !nobodyIsAsked || isLoopback(address),
        ServerProperties.PREFIX + ".api-keys",
        "none",
        "at least one, or angarium.server.oauth2, as others can reach %s %s; without any, it is for this machine (127.0.0.1)"
            .formatted(property, address));
  }

  /** False for no address, which is every one. */
  static boolean isLoopback(@Nullable String address) {
    try {
      return address != null
          && !address.isBlank()
          && InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // the server that is to listen there reports it
    }
  }

  /** Whether it is one that somebody may listen at. */
  static boolean isAddress(String address) {
    try {
      return !address.isBlank() && InetAddress.getByName(address) != null;
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
