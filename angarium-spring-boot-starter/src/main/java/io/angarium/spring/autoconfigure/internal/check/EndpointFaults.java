package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.ConfigurationException;
import io.angarium.spring.autoconfigure.internal.mapping.EndpointMapping;
import io.angarium.spring.autoconfigure.internal.mapping.SignatureMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with the paths of this application at which it is asked, and told, over HTTP: also
 * that one which is switched on could not be mapped, which would be found out by nobody.
 */
final class EndpointFaults {
  private static final String CHECK_BACK = "angarium." + EndpointMapping.CHECK_BACK;
  private static final String RECEIPTS = "angarium." + EndpointMapping.RECEIPTS;

  private final Surroundings around;
  private final List<String> faults = new ArrayList<>();

  private EndpointFaults(Surroundings around) {
    this.around = around;
  }

  static List<String> of(AngariumProperties properties, Purpose purpose, Surroundings around) {
    EndpointFaults gathered = new EndpointFaults(around);
    AngariumProperties.Half half = properties.half();
    AngariumProperties.ReceiptsEndpoint told = properties.confirmation().receiptsEndpoint();
    if (half.enabled()) {
      gathered.checkBack(half.checkBackEndpoint(), purpose);
    }
    gathered.receipts(told, purpose);
    if (half.enabled() && half.checkBackEndpoint().enabled() && told.enabled()) {
      gathered.check(() -> EndpointMapping.checkApart(half.checkBackEndpoint(), told));
    }
    return gathered.faults;
  }

  private void checkBack(AngariumProperties.CheckBackEndpoint given, Purpose purpose) {
    check(() -> EndpointMapping.check(given));
    if (!given.enabled()) {
      return;
    }
    if (around.haveHttp()) {
      check(() -> SignatureMapping.of(given));
    }
    if (purpose == Purpose.CONSUME) {
      cannotBeMapped(CHECK_BACK, "as there is no outbox, and so no half message");
    } else if (around.haveHalfMessages()) {
      needsWeb(CHECK_BACK, "the bean of CheckBackEndpoint");
    }
  }

  private void receipts(AngariumProperties.ReceiptsEndpoint given, Purpose purpose) {
    check(() -> EndpointMapping.check(given));
    if (!given.enabled()) {
      return;
    }
    if (around.haveHttp()) {
      check(() -> SignatureMapping.of(given));
    }
    if (purpose == Purpose.CONSUME) {
      cannotBeMapped(RECEIPTS, "as there is no outbox whose messages they confirm");
    } else {
      needsWeb(RECEIPTS, "a ReceiptsEndpoint");
    }
  }

  /**
   * @param taker what takes the requests of other web frameworks
   */
  private void needsWeb(String endpoint, String taker) {
    if (!around.haveHttp()) {
      faults.add(MissingModule.behindSwitch(endpoint + "enabled", "angarium-http"));
    }
    if (!around.haveMvc()) {
      faults.add(MissingModule.behindSwitch(endpoint + "enabled", "Spring MVC"));
    }
    if (!around.areServlets()) {
      cannotBeMapped(
          endpoint,
          "or a web application of servlets, by spring.main.web-application-type or what is on the"
              + " class path; in any other give the requests to "
              + taker);
    }
  }

  private void cannotBeMapped(String endpoint, String reason) {
    faults.add(endpoint + "enabled: true (expected: false, " + reason + ")");
  }

  private void check(Runnable mapping) {
    try {
      mapping.run();
    } catch (ConfigurationException e) {
      e.faults().forEach(fault -> faults.add("angarium." + fault));
    }
  }
}
