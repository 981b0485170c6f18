package io.angarium.half.check;

import io.angarium.half.CheckBack;
import io.angarium.internal.ShownAddress;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** How producers are asked, by business and by the scheme of their address. Thread-safe. */
final class Askers {
  /** Keys of one question in this process; fewer after one that took too long. */
  static final int LOCAL_KEYS_MAX = 200;

  private final Map<String, CheckBack> checkBacks;
  private final Map<String, CheckBackTransport> transports = new HashMap<>();
  private final Executor threads;

  /**
   * Keeps what there is.
   *
   * @param checkBacks by business
   * @param threads run those
   */
  Askers(
      Map<String, CheckBack> checkBacks,
      Collection<CheckBackTransport> transports,
      Executor threads) {
    this.checkBacks = Map.copyOf(checkBacks);
    this.threads = threads;
    for (CheckBackTransport transport : transports) {
      transport.schemes().forEach(scheme -> this.transports.put(scheme, transport));
    }
  }

  /**
   * How the producers of a business are asked.
   *
   * @param address null for the check-back of this process
   */
  Asker of(String business, @Nullable String address) {
    return address == null ? local(business) : remote(address);
  }

  private Asker local(String business) {
    CheckBack checkBack = checkBacks.get(business);
    return checkBack == null
        ? Asker.unreachable(
            "no check-back is registered for the business '"
                + business
                + "' and its half messages bring no address; register one")
        : Asker.local(checkBack, threads, LOCAL_KEYS_MAX);
  }

  private Asker remote(String address) {
    CheckBackTransport transport = transport(address);
    return transport == null
        ? Asker.unreachable(
            "no transport of check-backs serves '"
                + ShownAddress.of(address)
                + "' (known: "
                + schemes()
                + ")")
        : Asker.remote(transport, URI.create(address));
  }

  /** What asks at an address; null if nothing does. */
  @Nullable CheckBackTransport transport(String address) {
    String scheme = scheme(address);
    return scheme == null ? null : transports.get(scheme);
  }

  private static @Nullable String scheme(String address) {
    try {
      String scheme = URI.create(address).getScheme();
      return scheme == null ? null : scheme.toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private List<String> schemes() {
    return transports.keySet().stream().sorted().toList();
  }
}
