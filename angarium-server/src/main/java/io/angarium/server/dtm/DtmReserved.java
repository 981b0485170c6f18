package io.angarium.server.dtm;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.http.DtmStep;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.Fault;
import java.util.Locale;
import java.util.Optional;

/**
 * What only {@link DtmDesk} may store, whether or not this server answers dtm's calls, as another
 * on the same database may: from a step of anybody else's making the steps after it would be called
 * unchecked. Immutable.
 */
public final class DtmReserved {
  private static final String HEADERS = "dtm-";

  private final String business;

  /**
   * @param business of the messages of dtm
   */
  public DtmReserved(String business) {
    this.business = business;
  }

  /** What is wrong with a call of anybody else, if anything is. */
  public Optional<Fault> faultOf(HalfCall call) {
    HalfKey key = call.key();
    if (key.business().equals(business) && key.key().contains(DtmReading.DIVIDER)) {
      return fault("key", key.key(), "none with # of business '" + business + "'");
    }
    return call instanceof HalfCall.Prepare prepare ? faultOf(prepare.message()) : Optional.empty();
  }

  private static Optional<Fault> faultOf(HalfMessage half) {
    String destination = half.message().destination().toString();
    if (half.message().destination().transport().equals(DtmStep.TRANSPORT)) {
      return fault("destination", destination, "another than dtm:");
    }
    return half.message().headers().asMap().keySet().stream()
        .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(HEADERS))
        .findFirst()
        .flatMap(name -> fault("header", name, "none that begins with " + HEADERS));
  }

  private static Optional<Fault> fault(String what, String value, String expected) {
    return Optional.of(
        new Fault(
            422,
            HalfProblem.INVALID,
            "%s: %s (expected: %s, which steps of dtm alone have; they come by %s)"
                .formatted(what, value, expected, DtmController.PATH)));
  }
}
