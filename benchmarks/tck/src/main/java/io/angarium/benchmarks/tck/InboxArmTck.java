package io.angarium.benchmarks.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.InboxForm;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What each arm with an inbox must do to be compared: let every delivery take effect once. */
public interface InboxArmTck {
  /** Opens the arm under test. */
  Arm.Opener opener();

  /** On PostgreSQL. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  default void repeatsHaveNoEffectOnPostgresql() throws Exception {
    for (InboxForm form : InboxForm.values()) {
      repeatsHaveNoEffect(form, SharedServers.postgres().freshDatabase());
    }
  }

  /** On MariaDB. */
  @Test
  @RequiresServer(Server.MARIADB)
  default void repeatsHaveNoEffectOnMariadb() throws Exception {
    for (InboxForm form : InboxForm.values()) {
      repeatsHaveNoEffect(form, SharedServers.mariaDb().freshDatabase());
    }
  }

  private void repeatsHaveNoEffect(InboxForm form, TestDatabase database) throws Exception {
    try (Arm arm = opener().open(settings(form, database))) {
      arm.transact(0, messages(0, 10));
      assertThat(arm.left()).isEqualTo(10);

      arm.transact(5, messages(5, 15));
      arm.transact(0, messages(0, 15));

      assertThat(arm.left()).isEqualTo(15);
    }
  }

  private static List<Outgoing> messages(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(number -> new Outgoing(number, null, new byte[0], false))
        .toList();
  }

  private static ArmSettings settings(InboxForm form, TestDatabase database) {
    return new ArmSettings(
        DatabaseKind.valueOf(database.server().name()),
        database.url(),
        database.user(),
        database.password(),
        BrokerKind.KAFKA,
        "none",
        "none",
        Variant.DEFAULTS,
        form.options());
  }
}
