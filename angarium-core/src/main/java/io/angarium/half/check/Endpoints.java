package io.angarium.half.check;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The places where producers are asked, made when they are needed. One thread. */
final class Endpoints {
  /** So many are remembered; they come from producers. */
  static final int KEPT_MAX = 10_000;

  private static final String LOCAL = "in-process:";

  private final Askers askers;
  private final int questionsMax;
  private final Map<Place, Endpoint> known = new LinkedHashMap<>();
  private final Map<String, Origin> origins = new HashMap<>();

  /** One business that is not answered for at an address must not close it for another one. */
  private record Place(String name, String business) {}

  /** Creates none. */
  Endpoints(Askers askers, int questionsMax) {
    this.askers = askers;
    this.questionsMax = questionsMax;
  }

  /** Where the producer of a half message is asked. */
  Endpoint of(DueCheck check) {
    String address = check.address();
    String business = check.key().business();
    String name = address == null ? LOCAL + business : address;
    Place place = new Place(name, business);
    Endpoint endpoint = known.get(place);
    if (endpoint == null) {
      Asker asker = askers.of(business, address);
      Origin origin =
          origins.computeIfAbsent(originName(name), each -> new Origin(each, questionsMax));
      endpoint = new Endpoint(name, asker, origin, questionsMax);
      origin.known(1);
      known.put(place, endpoint);
    }
    return endpoint;
  }

  /** What cannot be asked over a transport stands alone. */
  private String originName(String name) {
    CheckBackTransport transport = name.startsWith(LOCAL) ? null : askers.transport(name);
    if (transport == null) {
      return name;
    }
    try {
      return transport.origin(URI.create(name));
    } catch (RuntimeException e) { // another's code, and an address of a stranger
      return name;
    }
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
