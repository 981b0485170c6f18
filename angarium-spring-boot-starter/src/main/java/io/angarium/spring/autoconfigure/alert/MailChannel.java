package io.angarium.spring.autoconfigure.alert;

import io.angarium.alert.AlertChannel;
import io.angarium.alert.AlertText;
import io.angarium.alert.Notices;
import io.angarium.spring.settings.AlertProperties;
import java.io.IOException;
import org.springframework.mail.MailException;
import org.springframework.mail.MailSender;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;

/** Tells by a mail of plain text. Thread-safe if its sender is. */
final class MailChannel implements AlertChannel {
  private final String name;
  private final MailSender sender;
  private final AlertProperties.Channel given;

  MailChannel(String name, MailSender sender, AlertProperties.Channel given) {
    this.name = name;
    this.sender = sender;
    this.given = given;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean direct() {
    return given.direct();
  }

  @Override
  public void send(Notices notices) throws IOException {
    SimpleMailMessage mail = new SimpleMailMessage();
    mail.setTo(given.to().toArray(new String[0]));
    String from = given.from();
    if (from != null) {
      mail.setFrom(from);
    }
    mail.setSubject(AlertText.title(notices));
    mail.setText(AlertText.of(notices));
    try {
      if (sender instanceof JavaMailSender mime) {
        MimeMails.send(mime, mail, notices);
      } else {
        sender.send(mail);
      }
    } catch (MailException e) {
      throw new IOException("the mail was not taken: " + e.getClass().getSimpleName(), e);
    }
  }
}
