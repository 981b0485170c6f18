package io.angarium.spring.autoconfigure.alert;

import io.angarium.alert.Alert;
import io.angarium.alert.Notice;
import io.angarium.alert.Notice.Kind;
import io.angarium.alert.Notices;
import io.angarium.internal.Sha256Names;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Headers by which mail programs show all mails about one alert together, from its beginning to its
 * end. The identifiers are made of the alert, so that each node makes the same. Thread-safe.
 */
final class MailThread {
  private static final String REFERENCES = "References";
  private static final String REPLY = "In-Reply-To";

  private MailThread() {}

  static void write(Notices notices, MimeMessage mail) throws MessagingException {
    mail.setHeader("Auto-Submitted", "auto-generated"); // nobody's absence is answered
    Set<String> references = new LinkedHashSet<>();
    Set<String> replied = new LinkedHashSet<>();
    for (Notice notice : notices.list()) {
      if (notice.kind() != Kind.TEST) {
        references.add(id(notices, notice, "")); // there is no such mail; all refer to it
        if (notice.kind() != Kind.FIRING) {
          replied.add(first(notices, notice));
        }
      }
    }
    references.addAll(replied);
    put(mail, REFERENCES, references);
    put(mail, REPLY, replied);
    Notice only = notices.list().get(0);
    if (notices.list().size() == 1 && only.kind() == Kind.FIRING) {
      mail.setHeader("Message-ID", first(notices, only));
    }
  }

  private static void put(MimeMessage mail, String header, Set<String> ids)
      throws MessagingException {
    if (!ids.isEmpty()) {
      mail.setHeader(header, MimeUtility.fold(header.length() + 2, String.join(" ", ids)));
    }
  }

  /** The mail that told first that an alert is on, with its severity, unless it told others too. */
  private static String first(Notices notices, Notice notice) {
    return id(notices, notice, notice.alert().severity().name());
  }

  private static String id(Notices notices, Notice notice, String more) {
    Alert alert = notice.alert();
    return "<%s@angarium.alerts>"
        .formatted(
            Sha256Names.id(
                notices.system(),
                alert.key().rule(),
                alert.key().subject(),
                alert.since().toString(),
                more));
  }
}
