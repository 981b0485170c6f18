package io.angarium.spring.autoconfigure.alert;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.mail.MailSender;

/** Channels of alerts that send mails, where the application can. */
@AutoConfiguration(
    before = AngariumAlertAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.autoconfigure.mail.MailSenderAutoConfiguration",
      "org.springframework.boot.mail.autoconfigure.MailSenderAutoConfiguration"
    })
@ConditionalOnClass(MailSender.class)
@ConditionalOnBean(MailSender.class)
@ConditionalOnProperty("angarium.alerts.enabled")
public final class AngariumAlertMailAutoConfiguration {
  /** Creates the configuration. */
  public AngariumAlertMailAutoConfiguration() {}

  @Bean
  MailChannels angariumMailChannels(MailSender sender) {
    return (name, given) -> new MailChannel(name, sender, given);
  }
}
