package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault of the proxy, felt by a real JDBC connection to a real server. */
@RequiresServer(Server.POSTGRESQL)
@SuppressWarnings("NullAway.Init") // The fields are set before each test.
class FaultProxyTest {
  private TestDatabase direct;
  private TestDatabase proxied;
  private FaultProxy proxy;
  private Connection connection;

  @BeforeEach
  void connectThroughAProxy() throws SQLException {
    direct = SharedServers.postgres().freshDatabase();
    direct.execute("CREATE TABLE t (n INT, text TEXT)");
    proxy = FaultProxy.to(SharedServers.postgres());
    proxied = direct.through(proxy);
    connection = proxied.connect();
  }

  @AfterEach
  void close() throws SQLException {
    proxy.heal();
    connection.close();
    proxy.close();
  }

  @Test
  void isTransparentWithoutFaults() throws SQLException {
    insert(1, "x".repeat(1_000_000));

    assertThat(text(1)).hasSize(1_000_000);
    assertThat(proxied.url()).contains(":" + proxy.port() + "/");
  }

  @Test
  void cutsOpenConnectionsAndServesNewOnes() throws SQLException {
    proxy.cutAll();

    assertThatThrownBy(() -> insert(1, "a")).isInstanceOf(SQLException.class);
    try (Connection second = proxied.connect()) {
      assertThat(second.isValid(10)).isTrue();
    }
  }

  @Test
  void refusesConnectionsUntilItAcceptsAgainOnTheSamePort() throws SQLException {
    proxy.refuse();

    assertThatThrownBy(() -> insert(1, "a")).isInstanceOf(SQLException.class);
    assertThatThrownBy(proxied::connect).hasRootCauseInstanceOf(ConnectException.class);
    proxy.accept();
    try (Connection second = proxied.connect()) {
      assertThat(second.isValid(10)).isTrue();
    }
  }

  @Test
  void holdsBytesBackAndDeliversThemAfterwards() throws Exception {
    proxy.blackhole();

    CompletableFuture<Void> insert = insertLater(1, "a");
    assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(rows()).isZero();
    proxy.heal();

    insert.get(30, TimeUnit.SECONDS);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void acceptsConnectionsIntoTheBlackHole() throws Exception {
    proxy.blackhole();

    CompletableFuture<Void> connecting =
        CompletableFuture.runAsync(() -> unchecked(() -> proxied.connect().close()));
    assertThatThrownBy(() -> connecting.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    proxy.heal();

    connecting.get(30, TimeUnit.SECONDS);
  }

  @Test
  void losesTheAnswerToACommitThatTheServerMade() throws Exception {
    connection.setAutoCommit(false);
    insert(1, "a");
    proxy.cutAfter(FaultProxy.Way.TO_CLIENT, 0);

    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);

    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void cutsARequestInTheMiddle() throws SQLException {
    proxy.cutAfter(FaultProxy.Way.TO_SERVER, 50_000);

    assertThatThrownBy(() -> insert(1, "x".repeat(100_000))).isInstanceOf(SQLException.class);

    assertThat(rows()).isZero();
    try (Connection second = proxied.connect()) {
      assertThat(second.isValid(10)).isTrue();
    }
  }

  @Test
  void breaksAConnectionWhoseBytesItHolds() throws Exception {
    proxy.blackhole(FaultProxy.Way.TO_CLIENT);
    CompletableFuture<Void> insert = insertLater(1, "a");
    assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    awaitARow();

    proxy.cutAll();

    assertThatThrownBy(() -> insert.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void delaysBothDirections() throws SQLException {
    proxy.latency(Duration.ofMillis(150));

    long start = System.nanoTime();
    insert(1, "a");

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(299));
  }

  @Test
  void limitsTheBandwidth() throws SQLException {
    proxy.bandwidth(500_000);

    long start = System.nanoTime();
    insert(1, "x".repeat(250_000));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(499));
  }

  @Test
  void refusesFaultsThatMakeNoSense() {
    assertThatThrownBy(() -> proxy.latency(Duration.ofMillis(-1))).hasMessageContaining("latency");
    assertThatThrownBy(() -> proxy.bandwidth(0)).hasMessageContaining("bytesPerSecond: 0");
    assertThatThrownBy(() -> proxy.cutAfter(FaultProxy.Way.TO_SERVER, -1))
        .hasMessageContaining("bytes: -1");
  }

  private void insert(int number, String text) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO t (n, text) VALUES (?, ?)")) {
      statement.setInt(1, number);
      statement.setString(2, text);
      statement.executeUpdate();
    }
  }

  private CompletableFuture<Void> insertLater(int number, String text) {
    return CompletableFuture.runAsync(() -> unchecked(() -> insert(number, text)));
  }

  private String text(int number) throws SQLException {
    return DatabaseServerContract.select(connection, "SELECT text FROM t WHERE n = " + number);
  }

  /** Counts past the proxy. */
  private long rows() throws SQLException {
    return direct.number("SELECT COUNT(*) FROM t");
  }

  /** A server may be slow, and what it has not done when its connection breaks it never does. */
  private void awaitARow() throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (rows() == 0) {
      assertThat(System.nanoTime()).as("a row in time").isLessThan(deadline);
    }
  }

  private static void unchecked(SqlStep step) {
    try {
      step.run();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface SqlStep {
    void run() throws SQLException;
  }
}
