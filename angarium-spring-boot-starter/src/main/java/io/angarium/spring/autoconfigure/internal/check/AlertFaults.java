package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.spring.autoconfigure.internal.mapping.AlertMapping;
import io.angarium.spring.settings.AlertProperties;
import io.angarium.spring.settings.AlertProperties.ChannelType;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with alerts that are switched on. */
final class AlertFaults {
  private static final String PREFIX = "angarium.alerts.channels.";

  private AlertFaults() {}

  static List<String> of(AlertProperties given, Surroundings around) {
    List<String> faults = new ArrayList<>();
    if (!given.enabled()) {
      return faults;
    }
    boolean posting = around.have("io.angarium.http.alert.HttpAlertChannel");
    given
        .channels()
        .forEach(
            (name, channel) -> {
              if (channel.type() == ChannelType.MAIL) {
                faults.addAll(mail(name, channel));
              } else if (posting) {
                AlertMapping.faults(name, channel).forEach(each -> faults.add("angarium." + each));
              } else {
                faults.add(MissingModule.behindValue(PREFIX + name, "angarium-http"));
              }
            });
    return faults;
  }

  private static List<String> mail(String name, AlertProperties.Channel given) {
    List<String> faults = new ArrayList<>();
    if (given.to().isEmpty()) {
      faults.add(PREFIX + name + ".to: [] (expected: addresses of those who are told)");
    }
    if (given.url() != null || given.secret() != null) {
      faults.add(PREFIX + name + ".url or secret: given (expected: none, as a mail is not posted)");
    }
    return faults;
  }
}
