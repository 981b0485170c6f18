package io.angarium.examples.consoledemo.scene;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcCheckStore;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcHalfMessages;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Half messages that their producers do not decide. Thread-safe. */
public final class HalfTroubles implements AutoCloseable {
  /** The business of those that a person must decide. */
  public static final String BUSINESS = "order-paid";

  /** Their keys. */
  public static final List<String> UNRESOLVED = List.of("4801", "4802", "4803");

  private static final List<String> REFUNDS = List.of("9101", "9102");

  private static final CheckBackConfig CHECKS =
      CheckBackConfig.DEFAULTS
          .pauses(
              new CheckBackConfig.Pauses(
                  Duration.ofSeconds(1),
                  Duration.ofMillis(200),
                  1,
                  Duration.ofMillis(200),
                  Duration.ofMinutes(5)))
          .unknownMax(5)
          .interval(Duration.ofMillis(200));

  private final JdbcHalfMessages half;
  private final JdbcCheckStore store;
  private final CheckBackLoop checks;

  private HalfTroubles(JdbcHalfMessages half, JdbcCheckStore store, CheckBackLoop checks) {
    this.half = half;
    this.store = store;
    this.checks = checks;
  }

  /** Prepares the half messages and begins to ask their producers in vain. */
  public static HalfTroubles start(JdbcDatabase database, MessageIntake intake, Handover handover) {
    JdbcHalfMessages half = database.halfMessages(intake, handover);
    JdbcCheckStore store = database.checkStore();
    UNRESOLVED.forEach(key -> half.prepare(of(BUSINESS, key, SilentProducers.SHOP)));
    REFUNDS.forEach(key -> half.prepare(of("refund", key, SilentProducers.REFUNDS)));
    CheckBackLoop checks =
        CheckBackLoop.builder(half, store).config(CHECKS).transport(new SilentProducers()).build();
    checks.start();
    return new HalfTroubles(half, store, checks);
  }

  private static HalfMessage of(String business, String key, URI producer) {
    Message message =
        Message.of(Trade.ORDERS, Payloads.order(Integer.parseInt(key), 2))
            .key("order-" + key)
            .type(business)
            .business("order", key)
            .header("content-type", "application/json");
    return HalfMessage.of(new HalfKey(business, key), message).checkBack(producer);
  }

  /** What asks their producers for a person. */
  public CheckBackTrial trial() {
    return checks;
  }

  @Override
  public void close() {
    checks.close();
    half.close();
    store.close();
  }
}
