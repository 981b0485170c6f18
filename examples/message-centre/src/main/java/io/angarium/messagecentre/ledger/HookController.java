package io.angarium.messagecentre.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.angarium.MessageId;
import io.angarium.http.HttpWireFormat;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Where the centre posts messages to. Thread-safe. */
@RestController
class HookController {
  private final Inbox<Connection> inbox;
  private final Ledger ledger;
  private final AtomicInteger answersToLose;

  HookController(
      Inbox<Connection> inbox, Ledger ledger, @Value("${ledger.lost-answers}") int lostAnswers) {
    this.inbox = inbox;
    this.ledger = ledger;
    this.answersToLose = new AtomicInteger(lostAnswers);
  }

  /**
   * What is read of a message.
   *
   * @param order the number of the order
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record About(long order) {}

  @PostMapping("/hooks/ledger")
  ResponseEntity<Void> receive(
      @RequestHeader(HttpWireFormat.ID) String id,
      @RequestHeader(HttpWireFormat.TYPE) String type,
      @RequestBody About about) {
    ledger.noteDelivery(id);
    inbox.process(
        InboxKey.of("ledger", MessageId.parse(id)), connection -> ledger.book(type, about.order()));
    boolean lost = answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    return ResponseEntity.status(lost ? 500 : 204).build(); // 500: as if the answer got lost
  }

  @GetMapping("/entries")
  String entries() {
    return String.join("\n", ledger.entries());
  }
}
