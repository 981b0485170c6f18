package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.PlantedTransport.changing;
import static io.angarium.testkit.tck.PlantedTransport.giving;
import static io.angarium.testkit.tck.PlantedTransport.givingLater;
import static io.angarium.testkit.tck.PlantedTransport.sending;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** Known ways to get a transport wrong, and the test of the contract that must notice. */
enum TransportMutant {
  NONE("", (real, away) -> real),
  ACKNOWLEDGES_WITHOUT_STORING(
      "everyMessageHasOneResultAndIsStoredOnce",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) ->
                  messages.forEach(m -> results.accept(m, SendResult.ACKNOWLEDGED)))),
  GIVES_TWO_RESULTS(
      "everyMessageHasOneResultAndIsStoredOnce",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) ->
                  transport.send(messages, results.andThen(results)))),
  FORGETS_THE_LAST_RESULT(
      "everyMessageHasOneResultAndIsStoredOnce",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) ->
                  transport.send(
                      messages,
                      (message, result) -> {
                        if (messages.indexOf(message) < Math.max(1, messages.size() - 1)) {
                          results.accept(message, result);
                        }
                      }))),
  STORES_TWICE(
      "everyMessageHasOneResultAndIsStoredOnce",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) -> {
                transport.send(messages, (message, result) -> {});
                transport.send(messages, results);
              })),
  KEEPS_RESULTS_UNTIL_THE_NEXT_CALL("resultsComeWithoutAnotherCall", TransportMutant::keeping),
  THROWS_WITHOUT_MESSAGES(
      "callWithoutMessagesIsAllowed",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) -> {
                if (messages.isEmpty()) {
                  throw new IllegalArgumentException("no messages");
                }
                transport.send(messages, results);
              })),
  DROPS_HEADERS("everyPartArrives", (real, away) -> changing(real, m -> m.headers(Headers.EMPTY))),
  DROPS_THE_TYPE("everyPartArrives", (real, away) -> changing(real, m -> m.type(null))),
  MAKES_ABSENT_KEYS_EMPTY(
      "absentPartsStayAbsentAndAnEmptyPayloadEmpty",
      (real, away) -> changing(real, m -> m.key() == null ? m.key("") : m)),
  WRITES_ASCII("textOfAnyScriptArrives", (real, away) -> changing(real, TransportMutant::ascii)),
  CUTS_PAYLOADS(
      "largestMessageArrives", (real, away) -> changing(real, TransportMutant::cutPayload)),
  REVERSES_A_CALL(
      "messagesOfAKeyKeepTheOrderOfTheirCall",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) -> {
                List<StoredMessage> reversed = new ArrayList<>(messages);
                Collections.reverse(reversed);
                transport.send(reversed, results);
              })),
  OVERTAKES_A_FAILED_MESSAGE(
      "noMessageIsStoredBeforeAnEarlierOneOfItsKeyThatFailed",
      (real, away) ->
          new PlantedTransport(real) {
            @Override
            public KeyOrder keyOrder() {
              return KeyOrder.PIPELINED;
            }
          }),
  FORGETS_FAILED_KEYS_AT_A_CALL_WITHOUT_ONE(
      "messagesOfAnotherCallerWithoutAKeyDoNotBreakTheOrder", TransportMutant::forgettingKeys),
  REMEMBERS_FAILURES_FOR_ALL_RELAYS_TOGETHER(
      "messagesOfAnotherRelayWithAKeyDoNotBreakTheOrder", (real, away) -> sharing(real)),
  CONFUSES_TWO_RELAYS("eachOfTwoRelaysOnOneTransportKeepsItsOrder", (real, away) -> sharing(real)),
  GIVES_ALL_RELAYS_ONE_VIEW(
      "pipelinedTransportGivesEachRelayAViewOfItsOwn", (real, away) -> sharing(real)),
  CLOSES_A_KEY_TO_ALL_RELAYS(
      "failureOfOneRelayHoldsUpNoKeyOfTheOther", (real, away) -> closingKeys(real)),
  UNAVAILABLE_INSTEAD_OF_REFUSED(
      "messageToAnUnknownDestinationIsRefusedWithItsName",
      (real, away) ->
          giving(real, r -> r instanceof Refused ? new Unavailable("fake is away", null) : r)),
  REFUSES_WITHOUT_A_REASON(
      "messageToAnUnknownDestinationIsRefusedWithItsName",
      (real, away) -> giving(real, r -> r instanceof Refused ? new Refused("", null) : r)),
  REFUSES_WITH_THE_NAME_OF_AN_EXCEPTION(
      "messageThatIsTooLargeIsRefusedWithItsSizeOrTheLimit",
      (real, away) ->
          giving(
              real,
              r ->
                  r instanceof Refused
                      ? new Refused("org.broker.TooLargeException: code 10 of broker 1", null)
                      : r)),
  FINDS_FAULT_WITH_WHAT_IT_DOES_NOT_KNOW(
      "addressesThatMayExistHaveNoFault",
      (real, away) ->
          new PlantedTransport(real) {
            @Override
            public Optional<String> addressFault(String address) {
              return Optional.of("unknown: " + address);
            }
          }),
  REFUSED_INSTEAD_OF_UNAVAILABLE(
      "brokerThatWentAwayMakesMessagesUnavailable",
      (real, away) ->
          giving(real, r -> r instanceof Unavailable ? new Refused("no broker", null) : r)),
  FAILED_INSTEAD_OF_UNAVAILABLE(
      "brokerThatWasNeverThereMakesMessagesUnavailable",
      (real, away) ->
          giving(real, r -> r instanceof Unavailable ? new Failed("no broker", null) : r)),
  THROWS_WHILE_AWAY(
      "brokerThatWentAwayMakesMessagesUnavailable",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) -> {
                if (away.getAsBoolean()) {
                  throw new IllegalStateException("no broker");
                }
                transport.send(messages, results);
              })),
  BLOCKS_WHILE_AWAY(
      "brokerThatWentAwayMakesMessagesUnavailable",
      (real, away) ->
          sending(
              real,
              (transport, messages, results) -> {
                waitWhile(away);
                transport.send(messages, results);
              })),
  STAYS_AWAY("messagesGoThroughWhenTheBrokerIsBack", TransportMutant::stayingAway),
  SWALLOWS_INTERRUPTS(
      "threadThatIsInterruptedStaysSoAndBreaksNothing", TransportMutant::swallowing),
  BREAKS_WHEN_INTERRUPTED(
      "threadThatIsInterruptedStaysSoAndBreaksNothing", TransportMutant::breaking),
  DOES_NOT_FLUSH(
      "flushWaitsForResults",
      (real, away) ->
          givingLater(
              new PlantedTransport(real) {
                @Override
                public void flush(Duration timeout) {
                  // returns at once
                }
              },
              muchLater(),
              () -> false)),
  FLUSHES_UNTIL_THE_BROKER_IS_BACK(
      "flushEndsAtItsTimeoutWhileTheBrokerIsAway",
      (real, away) ->
          new PlantedTransport(real) {
            @Override
            public void flush(Duration timeout) {
              waitWhile(away);
              super.flush(timeout);
            }
          }),
  FORGETS_RESULTS_WHEN_CLOSED(
      "closeGivesTheMissingResultsAndMayBeCalledTwice", TransportMutant::forgettingWhenClosed),
  CLOSES_ONCE("closeGivesTheMissingResultsAndMayBeCalledTwice", TransportMutant::closingOnce),
  STAYS_OPEN(
      "closedTransportTakesNothing",
      (real, away) ->
          new PlantedTransport(real) {
            @Override
            public void close() {
              // stays open
            }
          });

  /** Plants the fault. */
  private interface Plant {
    Transport plant(Transport real, BooleanSupplier away);
  }

  private final String noticedBy;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state of their own
  private final Plant plant;

  TransportMutant(String noticedBy, Plant plant) {
    this.noticedBy = noticedBy;
    this.plant = plant;
  }

  /**
   * True if the message that breaks the order must be handed over at the very moment, or if the
   * suite must look before a result that is late comes after all.
   */
  boolean showsAtMoments() {
    return this == FORGETS_FAILED_KEYS_AT_A_CALL_WITHOUT_ONE
        || this == REMEMBERS_FAILURES_FOR_ALL_RELAYS_TOGETHER
        || this == CONFUSES_TWO_RELAYS
        || this == DOES_NOT_FLUSH
        || this == FORGETS_RESULTS_WHEN_CLOSED;
  }

  /** The test that must fail. */
  String noticedBy() {
    return noticedBy;
  }

  /** The order that the transport keeps in truth. */
  KeyOrder keptOrder() {
    return this == OVERTAKES_A_FAILED_MESSAGE ? KeyOrder.CHAINED : KeyOrder.PIPELINED;
  }

  Transport plant(Transport real, BooleanSupplier away) {
    return plant.plant(real, away);
  }

  private static Executor muchLater() {
    return CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);
  }

  private static Message ascii(Message message) {
    Message changed = message;
    for (var header : message.headers().asMap().entrySet()) {
      String value = new String(header.getValue().getBytes(US_ASCII), US_ASCII);
      changed = changed.header(header.getKey(), value);
    }
    return changed;
  }

  private static Message cutPayload(Message message) {
    byte[] cut = Arrays.copyOf(message.payload(), Math.min(message.payload().length, 65_536));
    return Message.of(message.destination(), cut)
        .key(message.key())
        .type(message.type())
        .headers(message.headers());
  }

  /** As after a call of the relay, which begins anew with the first that failed. */
  private static Transport forgettingKeys(Transport real, BooleanSupplier away) {
    return sending(
        real,
        (transport, messages, results) -> {
          transport.send(messages, results);
          if (!messages.isEmpty() && messages.stream().noneMatch(StoredMessage::isKeyed)) {
            transport.send(List.of(keyed(messages.get(0))), (message, result) -> {});
          }
        });
  }

  private static Transport swallowing(Transport real, BooleanSupplier away) {
    AtomicBoolean swallowed = new AtomicBoolean();
    return sending(
        real,
        (transport, messages, results) -> {
          swallowed.set(Thread.interrupted());
          transport.send(messages, results);
        });
  }

  /** As a library whose classes were not loaded to the end. */
  private static Transport breaking(Transport real, BooleanSupplier away) {
    AtomicBoolean broken = new AtomicBoolean();
    return sending(
        real,
        (transport, messages, results) -> {
          if (Thread.currentThread().isInterrupted()) {
            broken.set(true);
          }
          if (broken.get()) {
            messages.forEach(m -> results.accept(m, new Unavailable("not loaded", null)));
          } else {
            transport.send(messages, results);
          }
        });
  }

  /** Whoever calls is the same caller. */
  private static Transport sharing(Transport real) {
    return new PlantedTransport(real);
  }

  /** Until the relay whose message failed has sent one of its key. */
  private static Transport closingKeys(Transport real) {
    Map<String, String> closedBy = new ConcurrentHashMap<>();
    return new PlantedTransport(real) {
      @Override
      public Transport of(String caller) {
        Transport view = real.of(caller);
        return sending(
            view,
            (transport, messages, results) ->
                messages.forEach(message -> send(transport, caller, message, results)));
      }

      private void send(
          Transport view,
          String caller,
          StoredMessage message,
          BiConsumer<StoredMessage, SendResult> results) {
        String key = String.valueOf(message.message().key());
        if (!closedBy.getOrDefault(key, caller).equals(caller)) {
          results.accept(message, new Unavailable("an earlier message of its key failed", null));
          return;
        }
        view.send(
            List.of(message),
            (sent, result) -> {
              if (result == SendResult.ACKNOWLEDGED) {
                closedBy.remove(key);
              } else {
                closedBy.put(key, caller);
              }
              results.accept(sent, result);
            });
      }
    };
  }

  private static StoredMessage keyed(StoredMessage row) {
    Message message = row.message().key("of nobody");
    return new StoredMessage(row.position(), row.id(), message, row.attempts(), row.createdAt());
  }

  private static Transport keeping(Transport real, BooleanSupplier away) {
    AtomicReference<Runnable> kept = new AtomicReference<>(() -> {});
    return sending(
        real,
        (transport, messages, results) -> {
          List<Runnable> given = Collections.synchronizedList(new ArrayList<>());
          kept.getAndSet(() -> List.copyOf(given).forEach(Runnable::run)).run();
          transport.send(messages, (m, result) -> given.add(() -> results.accept(m, result)));
        });
  }

  private static Transport stayingAway(Transport real, BooleanSupplier away) {
    AtomicBoolean everAway = new AtomicBoolean();
    return giving(
        real,
        result -> {
          boolean gone = everAway.get() || result instanceof Unavailable;
          everAway.set(gone);
          return gone ? new Unavailable("no broker", null) : result;
        });
  }

  private static Transport forgettingWhenClosed(Transport real, BooleanSupplier away) {
    AtomicBoolean closed = new AtomicBoolean();
    Transport closing =
        new PlantedTransport(real) {
          @Override
          public void close() {
            closed.set(true);
            super.close();
          }
        };
    return givingLater(closing, muchLater(), closed::get);
  }

  private static Transport closingOnce(Transport real, BooleanSupplier away) {
    AtomicBoolean closed = new AtomicBoolean();
    return new PlantedTransport(real) {
      @Override
      public void close() {
        if (closed.getAndSet(true)) {
          throw new IllegalStateException("closed already");
        }
        super.close();
      }
    };
  }

  private static void waitWhile(BooleanSupplier condition) {
    while (condition.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
