package io.angarium.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.internal.session.Servers.Server;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServersTest {
  private static final Server A = new Server("a", true);
  private static final Server B = new Server("b", true);
  private static final Server C = new Server("c", true);

  private final ManualClock clock = ManualClock.create();
  private final Servers servers = new Servers(clock);

  @Test
  void theFirstServerBeginsNoEra() {
    assertThat(servers.meet(A)).isZero();
    assertThat(servers.meet(A)).isZero();
    assertThat(servers.era()).isZero();
  }

  @Test
  void anotherServerBeginsAnEra() {
    servers.meet(A);

    assertThat(servers.meet(B)).isEqualTo(1);
    assertThat(servers.meet(B)).isEqualTo(1);
    assertThat(servers.era()).isEqualTo(1);
  }

  @Test
  void aServerWithoutWritesBeginsNoEra() {
    servers.meet(A);

    assertThat(servers.meet(new Server("b", false))).isZero();
    assertThat(servers.era()).isZero();
  }

  /** Each may be another one than before. */
  @Test
  void aServerBeginsAnEraWhenItStopsOrBeginsToTellWhichOneItIs() {
    assertThat(servers.meet(Server.UNKNOWN)).isZero();
    assertThat(servers.meet(Server.UNKNOWN)).isZero();

    assertThat(servers.meet(A)).isEqualTo(1);
    assertThat(servers.meet(Server.UNKNOWN)).isEqualTo(2);
    assertThat(servers.meet(Server.UNKNOWN)).isEqualTo(2);
    assertThat(servers.meet(A)).isEqualTo(3);
  }

  /** However its connections are spread, sessions come to rest on one of them. */
  @Test
  void behindABalancerSessionsStayOnOneServer() {
    for (int i = 0; i < 1_000; i++) {
      servers.meet(A);
      servers.meet(B);
      servers.meet(C);
      clock.advance(Duration.ofSeconds(1));
    }

    assertThat(servers.meet(C)).isEqualTo(2);
    assertThat(servers.meet(A)).isEqualTo(Servers.LEFT);
    assertThat(servers.era()).isEqualTo(2);
  }

  @Test
  void aServerThatWasLeftIsUsedAgainWhenNoOtherAnswers() {
    servers.meet(A);
    servers.meet(B);

    assertThat(servers.meet(A)).isEqualTo(Servers.LEFT);
    clock.advance(Servers.RETURN);

    assertThat(servers.meet(A)).isEqualTo(2);
    assertThat(servers.meet(B)).isEqualTo(Servers.LEFT);
  }

  /** As when the server that was used until now is about to be shut down. */
  @Test
  void answersOfAServerWithoutWritesKeepNoOtherFromBeingUsedAgain() {
    servers.meet(A);
    servers.meet(B);
    assertThat(servers.meet(A)).isEqualTo(Servers.LEFT);

    clock.advance(Servers.RETURN.dividedBy(2));
    servers.meet(new Server("b", false));
    clock.advance(Servers.RETURN.dividedBy(2));

    assertThat(servers.meet(A)).isEqualTo(2);
  }

  @Test
  void aBriefVisitLongAgoBringsNoServerBack() {
    servers.meet(A);
    servers.meet(B);
    servers.meet(A);
    servers.meet(B);
    clock.advance(Duration.ofHours(1));

    assertThat(servers.meet(A)).isEqualTo(Servers.LEFT);
  }
}
