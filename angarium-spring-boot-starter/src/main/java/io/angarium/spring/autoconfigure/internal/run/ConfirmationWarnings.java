package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.confirmation.Confirmations;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.Receipts;
import io.angarium.inbox.Inbox;
import io.angarium.spring.settings.AngariumProperties;
import java.util.Arrays;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Says at the start what of the confirmation cannot work, unless it is done where nobody can see
 * it. Beans that are given what receipts go by are taken for those that do it. Thread-safe.
 */
public final class ConfirmationWarnings implements SmartInitializingSingleton {
  private static final Logger LOG = LoggerFactory.getLogger(ConfirmationWarnings.class);
  private static final String OURS = "angarium";

  private final ConfigurableListableBeanFactory beans;
  private final AngariumProperties.Confirmation given;

  public ConfirmationWarnings(
      ConfigurableListableBeanFactory beans, AngariumProperties.Confirmation given) {
    this.beans = beans;
    this.given = given;
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (!given.destinations().isEmpty() && isAny(Confirmations.class) && !isTold()) {
      LOG.warn(
          "Messages for {} must be confirmed, and this application reads no receipts: they become"
              + " dead letters unless another one does so on the same database. Set"
              + " angarium.confirmation.receipts-from or receipts-endpoint.enabled, or call"
              + " ReceiptIntake",
          given.destinations());
    }
    if (reports() && !isAny(Inbox.class) && !isUsed(Receipts.class)) {
      LOG.warn(
          "No receipts are sent to {}, as there is no inbox which knows what was processed. Set"
              + " angarium.inbox.enabled, or call Receipts",
          given.reportTo());
    }
  }

  /** The condition of the bean that reports takes this word for none. */
  private boolean reports() {
    return given.reportTo() != null && !"false".equalsIgnoreCase(given.reportTo());
  }

  private boolean isTold() {
    return given.receiptsFrom() != null
        || given.receiptsEndpoint().enabled()
        || isUsed(ReceiptIntake.class)
        || isUsed(Confirmations.class);
  }

  private boolean isAny(Class<?> type) {
    return names(type).findAny().isPresent();
  }

  /** By a bean of the application. */
  private boolean isUsed(Class<?> type) {
    return names(type)
        .flatMap(name -> Arrays.stream(beans.getDependentBeans(name)))
        .anyMatch(name -> !name.startsWith(OURS));
  }

  private Stream<String> names(Class<?> type) {
    return Arrays.stream(beans.getBeanNamesForType(type, true, false));
  }
}
