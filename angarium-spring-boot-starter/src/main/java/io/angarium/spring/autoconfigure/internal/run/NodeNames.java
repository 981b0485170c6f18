package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.spring.autoconfigure.internal.mapping.Dice;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Makes names for nodes that were given none. */
public final class NodeNames {
  private static final int HOST_LENGTH_MAX = 100;
  private static final int RANDOM_LENGTH = 8;

  private NodeNames() {}

  /** The host name with a random ending: several processes of a host must not share a name. */
  public static String unique() {
    String host = host();
    return host.substring(0, Math.min(host.length(), HOST_LENGTH_MAX))
        + "-"
        + "%016x".formatted(Dice.roll()).substring(0, RANDOM_LENGTH);
  }

  /** The host name, as far as this machine knows it. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "node"; // the random ending is enough
    }
  }
}
