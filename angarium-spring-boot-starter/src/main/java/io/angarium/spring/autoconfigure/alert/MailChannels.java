package io.angarium.spring.autoconfigure.alert;

import io.angarium.alert.AlertChannel;
import io.angarium.spring.settings.AlertProperties;

/** Makes channels that send mails, where the application can. */
@FunctionalInterface
interface MailChannels {
  AlertChannel channel(String name, AlertProperties.Channel given);
}
