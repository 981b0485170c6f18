package io.angarium.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SessionSettingTest {
  private final List<String> done = new ArrayList<>();
  private final Connection connection = // tells what is called
      (Connection)
          Proxy.newProxyInstance(
              SessionSettingTest.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                done.add(method.getName());
                return null;
              });

  private String work() {
    return done.add("work") ? "result" : "";
  }

  private void restore() {
    done.add("restored");
  }

  @Test
  void isPutBackAfterTheWork() throws SQLException {
    assertThat(SessionSetting.restoredAfter(connection, this::work, this::restore))
        .isEqualTo("result");
    assertThat(done).containsExactly("work", "restored");
  }

  @Test
  void isPutBackAfterWorkThatFailed() {
    SQLException busy = new SQLException("the row is locked");

    assertThatThrownBy(
            () -> SessionSetting.restoredAfter(connection, () -> fail(busy), this::restore))
        .isSameAs(busy);
    assertThat(done).containsExactly("restored");
  }

  @Test
  void isPutBackAfterAnErrorAsWell() {
    Error full = new OutOfMemoryError("planned");

    assertThatThrownBy(
            () -> SessionSetting.restoredAfter(connection, () -> fail(full), this::restore))
        .isSameAs(full);
    assertThat(done).containsExactly("restored");
  }

  @Test
  void reasonOfTheWorkIsNotHiddenByASessionThatIsLost() {
    SQLException killed = new SQLException("the server went away");
    SQLException closed = new SQLException("the connection is closed");

    assertThatThrownBy(
            () -> SessionSetting.restoredAfter(connection, () -> fail(killed), () -> fail(closed)))
        .isSameAs(killed)
        .hasSuppressedException(closed);
  }

  @Test
  void aSettingThatCannotBePutBackFailsTheWork() {
    SQLException closed = new SQLException("the connection is closed");

    assertThatThrownBy(
            () -> SessionSetting.restoredAfter(connection, this::work, () -> fail(closed)))
        .isSameAs(closed);
  }

  private static String fail(Error reason) {
    throw reason;
  }

  private static String fail(SQLException reason) throws SQLException {
    throw reason;
  }
}
