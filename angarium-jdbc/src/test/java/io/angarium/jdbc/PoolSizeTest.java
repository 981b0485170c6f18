package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.session.PoolSize;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools that are too small for what keeps connections stop the start. */
final class PoolSizeTest {
  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  private final JdbcConnectionPool pool = JdbcConnectionPool.create(url, "sa", "");

  @AfterEach
  void close() {
    pool.dispose();
  }

  private JdbcDatabase open(DataSource dataSource) {
    return JdbcDatabase.open(dataSource, EmptyDatabase.WITH_ALL_TABLES);
  }

  @Test
  void poolOfFiveIsTooSmallForARelayAndOneOfSixIsNot() {
    pool.setMaxConnections(5);
    JdbcDatabase database = open(pool);

    assertThatThrownBy(database::leases)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "connections: a pool of 5 (expected: at least 6, as the relay keeps 5, and 1 is borrowed")
        .hasMessageContaining("angarium.jdbc.relay-data-source");
    pool.setMaxConnections(6);
    database.leases().close();
  }

  @Test
  void everythingThatKeepsConnectionsCountsUntilItIsClosed() {
    pool.setMaxConnections(9);
    JdbcDatabase database = open(pool);
    JdbcLeaseStore leases = database.leases();
    JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE);

    assertThatThrownBy(database::checkStore)
        .hasMessageContaining(
            "a pool of 9 (expected: at least 10, as the relay keeps 5, half messages keeps 3, the"
                + " check-back keeps 1");

    half.close();
    half.close();
    database.checkStore().close();
    leases.close();
  }

  @Test
  void relayOfAnotherDataSourceLeavesThePoolAlone() {
    pool.setMaxConnections(1);
    JdbcDataSource own = new JdbcDataSource();
    own.setURL(url);
    own.setUser("sa");

    try (JdbcLeaseStore leases = open(pool).relayingFrom(own).leases()) {
      assertThat(leases).isNotNull();
    }
  }

  @Test
  void sizeIsToldThroughWrappers() {
    pool.setMaxConnections(3);

    assertThat(PoolSize.of(new Delegating(pool).seen())).hasValue(3);
    assertThat(PoolSize.of(new Delegating(new Delegating(pool).seen()).seen())).hasValue(3);
  }

  @Test
  void unknownPoolIsToldOnce() {
    JdbcDatabase database = open(EmptyDatabase.h2InMemory());
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      database.leases().close();
      database.leases().close();
    } finally {
      System.setErr(before);
    }

    assertThat(log.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("cannot be told: make sure that it has at least 6 connections");
  }

  /** As Spring's wrappers are. */
  public interface HasTarget extends DataSource {
    /** What is wrapped. */
    DataSource getTargetDataSource();
  }

  private record Delegating(DataSource target) {
    DataSource seen() {
      return (DataSource)
          Proxy.newProxyInstance(
              PoolSizeTest.class.getClassLoader(),
              new Class<?>[] {HasTarget.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getTargetDataSource")) {
                  return target;
                }
                try {
                  return method.invoke(target, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
