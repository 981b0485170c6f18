package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Message;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcLeaseStore;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.Backlog;
import io.angarium.testservers.TestDatabase;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/** An application with one relay and several transports. */
final class Application implements AutoCloseable {
  /** Messages in flight at most, far fewer than a broker that is down leaves lying. */
  static final int WINDOW = 1_000;

  /** One in so many messages has no key. */
  private static final int KEYLESS_EACH = 5;

  static final int KEYS = 30;

  private static final int PER_TRANSACTION = 100;

  final Traffic traffic = new Traffic();
  private final HikariDataSource pool = new HikariDataSource();
  private final JdbcOutboxStore store;
  private final JdbcLeaseStore leases;
  private final List<Transport> transports = new ArrayList<>();
  private final Relay relay;
  private final JdbcOutbox outbox;

  /**
   * @param ways opens the transports, for the application's database
   */
  Application(TestDatabase database, Function<DataSource, List<Transport>> ways) {
    this(WINDOW, database, ways);
  }

  /**
   * @param window messages in flight at most
   */
  Application(int window, TestDatabase database, Function<DataSource, List<Transport>> ways) {
    pool.setJdbcUrl(database.url());
    pool.setUsername(database.user());
    pool.setPassword(database.password());
    JdbcDatabase opened =
        JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    transports.addAll(ways.apply(pool));
    store = opened.store();
    leases = opened.leases();
    DestinationPolicy policy = policy();
    Relay.Builder builder =
        Relay.builder(store, leases)
            .config(config(window))
            .policies(destination -> policy)
            .listener(traffic);
    transports.forEach(builder::transport);
    relay = builder.build();
    outbox = opened.outbox(MessageIntake.of(null), relay);
    relay.start();
  }

  private static RelayConfig config(int window) {
    RelayConfig defaults = RelayConfig.defaults("together");
    return new RelayConfig(
        defaults.node(),
        defaults.partitioning(),
        defaults.leasing(),
        defaults.polling(),
        new RelayConfig.Window(window, 8 << 20, window, 200, Duration.ofMillis(10)),
        defaults.closeTimeout());
  }

  private static DestinationPolicy policy() {
    DestinationPolicy defaults = DestinationPolicy.defaults();
    return new DestinationPolicy(
        defaults.retry(),
        defaults.onDead(),
        new CircuitTiming(Duration.ofMillis(50), Duration.ofMillis(500)));
  }

  /** The text of a message, which tells its key and its number. */
  static String text(int number) {
    return key(number) + ":" + number;
  }

  private static String key(int number) {
    return number % KEYLESS_EACH == 0 ? "" : "key-" + number % KEYS;
  }

  /** Writes the messages {@code from..to-1} of a destination, in transactions of a hundred. */
  void write(String destination, int from, int to) {
    for (int first = from; first < to; first += PER_TRANSACTION) {
      int begin = first;
      int end = Math.min(to, first + PER_TRANSACTION);
      outbox.inTransaction(
          (connection, messages) -> {
            for (int i = begin; i < end; i++) {
              Message message = Message.of(destination, text(i).getBytes(UTF_8));
              messages.send(key(i).isEmpty() ? message : message.key(key(i)));
            }
            return true;
          });
    }
  }

  Backlog backlog() {
    return store.backlog();
  }

  @Override
  public void close() {
    relay.close();
    transports.forEach(Transport::close);
    store.close();
    leases.close();
    pool.close();
  }
}
