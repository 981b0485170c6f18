package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditLog;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DueBucket;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Overview;
import io.angarium.desk.PauseDesk;
import io.angarium.desk.RelayView;
import io.angarium.desk.SearchDepth;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A desk that passes everything on; a mutant changes one thing. */
record PlantedDesk(MessageBrowser messages, MessageActs acts, PauseDesk pauses, AuditLog audit)
    implements Desk {
  static class Browser implements MessageBrowser {
    private final MessageBrowser real;

    Browser(Desk real) {
      this.real = real.messages();
    }

    @Override
    public Overview overview(int countMax) {
      return real.overview(countMax);
    }

    @Override
    public MessagePage search(MessageQuery query) {
      return real.search(query);
    }

    @Override
    public FoundMessage find(MessageId id, SearchDepth depth) {
      return real.find(id, depth);
    }

    @Override
    public Optional<byte[]> payload(MessageRow row, long from, int bytesMax) {
      return real.payload(row, from, bytesMax);
    }

    @Override
    public KeyView key(Destination destination, String key) {
      return real.key(destination, key);
    }

    @Override
    public DestinationPage destinations() {
      return real.destinations();
    }

    @Override
    public RelayView relay() {
      return real.relay();
    }

    @Override
    public RelayView members() {
      return real.members();
    }

    @Override
    public List<DueBucket> calendar(Instant from, Instant to, Duration step) {
      return real.calendar(from, to, step);
    }
  }

  static class Acts implements MessageActs {
    private final MessageActs real;

    Acts(Desk real) {
      this.real = real.acts();
    }

    @Override
    public ActResult requeue(Collection<MessageId> dead, ActBy by) {
      return real.requeue(dead, by);
    }

    @Override
    public ActResult discard(Collection<MessageId> dead, ActBy by) {
      return real.discard(dead, by);
    }

    @Override
    public ActResult restore(Collection<MessageId> discarded, ActBy by) {
      return real.restore(discarded, by);
    }

    @Override
    public ActResult cancel(Collection<MessageId> delayed, ActBy by) {
      return real.cancel(delayed, by);
    }

    @Override
    public ActResult sendNow(Collection<MessageId> delayedOrRetrying, ActBy by) {
      return real.sendNow(delayedOrRetrying, by);
    }

    @Override
    public ActResult bury(Collection<MessageId> undelivered, ActBy by) {
      return real.bury(undelivered, by);
    }

    @Override
    public ActResult correct(Collection<MessageId> dead, Correction change, ActBy by) {
      return real.correct(dead, change, by);
    }
  }
}
