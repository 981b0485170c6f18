package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.TransportScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * That the wall clocks of relays' hosts change nothing, though they be hours wrong. Part of {@link
 * TransportTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface TransportClockTck extends TransportFixtureTck {
  /** Most attempts of a message here; with the pauses between them they take half a minute. */
  int ATTEMPTS_MAX = 600;

  @Test
  default void hostsWhoseClocksAreHoursWrongSendEverythingInOrder() {
    List<Duration> hosts =
        List.of(HostClock.HOURS.negated(), HostClock.HOURS, HostClock.HOURS.negated());
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> sent = new ArrayList<>();

    for (Duration ahead : hosts) {
      TransportScene there = scene.on(new HostClock(TimeSource.SYSTEM::instant, ahead));
      List<StoredMessage> messages =
          List.of(there.message("a"), there.message("b"), there.message("a"), there.message("b"));
      deliver(there, messages);
      sent.addAll(messages);
    }

    for (String key : List.of("a", "b")) {
      assertThat(scene.stored(key))
          .isEqualTo(ids(sent.stream().filter(m -> key.equals(m.message().key())).toList()));
    }
  }

  /** A broker may refuse the times of a host at first; a relay sends again then, at no cost. */
  private static void deliver(TransportScene there, List<StoredMessage> messages) {
    List<StoredMessage> rest = messages;
    for (int i = 0; i < ATTEMPTS_MAX && !rest.isEmpty(); i++) {
      there.deliverInOrder(rest);
      rest = rest.stream().filter(m -> there.resultOf(m) != SendResult.ACKNOWLEDGED).toList();
      assertThat(rest)
          .allSatisfy(m -> assertThat(there.resultOf(m)).isInstanceOf(Unavailable.class));
      if (!rest.isEmpty()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // the connection is renewed
      }
    }
    there.assertAcknowledged(messages);
  }
}
