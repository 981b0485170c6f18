package io.angarium.http;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import java.util.List;

/** Messages as a store would give them, for a hook. */
final class Messages {
  private Messages() {}

  static StoredMessage of(Message message) {
    return io.angarium.testtransports.Messages.of(message);
  }

  static StoredMessage to(String address) {
    return io.angarium.testtransports.Messages.of(new Destination("http", address), null, "{}");
  }

  /** Hands a message over and waits for its result. */
  static SendResult result(HttpTransport transport, StoredMessage message) {
    Results results = new Results();
    transport.send(List.of(message), results);
    return results.next().result();
  }
}
