package io.angarium.half.check;

import io.angarium.half.CheckBack;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The places where producers are asked, made when they are needed. One thread. */
final class Endpoints {
  /** So many are remembered; they come from producers. */
  static final int KEPT_MAX = 10_000;

  /** Keys of one question in this process; fewer after one that took too long. */
  static final int LOCAL_KEYS_MAX = 200;

  private static final String LOCAL = "in-process:";

  private final Map<String, CheckBack> checkBacks;
  private final Map<String, CheckBackTransport> transports = new HashMap<>();
  private final Executor threads;
  private final int questionsMax;
  private final Map<Place, Endpoint> known = new LinkedHashMap<>();
  private final Map<String, Origin> origins = new HashMap<>();

  /** One business that is not answered for at an address must not close it for another one. */
  private record Place(String name, String business) {}

  /**
   * Creates none.
   *
   * @param checkBacks by business
   * @param threads run those
   */
  Endpoints(
      Map<String, CheckBack> checkBacks,
      Collection<CheckBackTransport> transports,
      Executor threads,
      int questionsMax) {
    this.checkBacks = checkBacks;
    this.threads = threads;
    this.questionsMax = questionsMax;
    for (CheckBackTransport transport : transports) {
      transport.schemes().forEach(scheme -> this.transports.put(scheme, transport));
    }
  }

  /** Where the producer of a half message is asked. */
  Endpoint of(DueCheck check) {
    String address = check.address();
    String business = check.key().business();
    String name = address == null ? LOCAL + business : address;
    Place place = new Place(name, business);
    Endpoint endpoint = known.get(place);
    if (endpoint == null) {
      Asker asker = address == null ? local(business) : remote(address);
      Origin origin =
          origins.computeIfAbsent(originName(name), each -> new Origin(each, questionsMax));
      endpoint = new Endpoint(name, asker, origin, questionsMax);
      origin.known(1);
      known.put(place, endpoint);
    }
    return endpoint;
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

  private @Nullable CheckBackTransport transport(String address) {
    String scheme = scheme(address);
    return scheme == null ? null : transports.get(scheme);
  }

  /** What cannot be asked over a transport stands alone. */
  private String originName(String name) {
    CheckBackTransport transport = name.startsWith(LOCAL) ? null : transport(name);
    if (transport == null) {
      return name;
    }
    try {
      return transport.origin(URI.create(name));
    } catch (RuntimeException e) { // another's code, and an address of a stranger
      return name;
    }
  }

  private Asker remote(String address) {
    CheckBackTransport transport = transport(address);
    return transport == null
        ? Asker.unreachable(
            "no transport of check-backs serves '" + address + "' (known: " + schemes() + ")")
        : Asker.remote(transport, URI.create(address));
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

  /** Returns the known endpoints in the order in which they came. */
  List<Endpoint> all() {
    return new ArrayList<>(known.values());
  }

  /** Has all endpoints of an origin that is back asked again, but those that were told of alone. */
  void wake(Origin origin) {
    known.values().stream()
        .filter(endpoint -> endpoint.origin().equals(origin))
        .map(Endpoint::outage)
        .filter(outage -> !outage.isTold())
        .forEach(Outage::clear);
  }

  /**
   * Forgets endpoints and origins that are not needed.
   *
   * @return the names of the forgotten ones that were reported as unreachable
   */
  List<String> tidy(long nowNanos) {
    List<String> told = forget(endpoint -> endpoint.isIdle(nowNanos));
    if (known.size() > KEPT_MAX) {
      told.addAll(forget(endpoint -> !endpoint.isBusy()));
    }
    forgetOrigins(nowNanos, told);
    return told;
  }

  private List<String> forget(Predicate<Endpoint> needless) {
    List<String> told = new ArrayList<>();
    known
        .values()
        .removeIf(
            endpoint -> {
              boolean gone = needless.test(endpoint);
              if (gone) {
                endpoint.origin().known(-1);
              }
              if (gone && endpoint.outage().isTold()) {
                told.add(endpoint.name());
              }
              return gone;
            });
    return told;
  }

  private void forgetOrigins(long nowNanos, List<String> told) {
    origins
        .values()
        .removeIf(
            origin -> {
              boolean gone = origin.isIdle(nowNanos);
              if (gone && origin.outage().isTold()) {
                told.add(origin.name());
              }
              return gone;
            });
  }
}
