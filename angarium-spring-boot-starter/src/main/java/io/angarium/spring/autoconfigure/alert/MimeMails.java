package io.angarium.spring.autoconfigure.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.alert.Notices;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMailMessage;
import org.springframework.mail.javamail.MimeMessageHelper;

/** Sends mails with headers, which only some senders can. Thread-safe if its sender is. */
final class MimeMails {
  private MimeMails() {}

  static void send(JavaMailSender sender, SimpleMailMessage written, Notices notices) {
    sender.send(
        mail -> {
          written.copyTo(new MimeMailMessage(new MimeMessageHelper(mail, UTF_8.name())));
          MailThread.write(notices, mail);
        });
  }
}
