package io.angarium.alert;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes alerts to the log: critical ones as errors, others as warnings, and what is over as
 * information. Thread-safe.
 */
public final class LogChannel implements AlertChannel {
  /** Its name. */
  public static final String NAME = "log";

  private static final Logger LOG = LoggerFactory.getLogger(LogChannel.class);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void send(Notices notices) {
    notices.list().forEach(LogChannel::write);
  }

  private static void write(Notice notice) {
    Alert alert = notice.alert();
    String rule = alert.key().rule();
    String subject = alert.key().subject();
    if (notice.kind() == Notice.Kind.RESOLVED) {
      LOG.info("Alert {} of {} is over", rule, subject);
    } else if (notice.kind() == Notice.Kind.TEST) {
      LOG.info("This is a test of the channel of alerts");
    } else if (alert.severity() == Severity.CRITICAL) {
      LOG.error("Alert {} of {}: {}. {}", rule, subject, alert.text(), notice.meaning());
    } else {
      LOG.warn("Alert {} of {}: {}. {}", rule, subject, alert.text(), notice.meaning());
    }
  }

  @Override
  public boolean direct() {
    return true;
  }
}
