package io.angarium.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressCheckTest {
  private final Pigeons pigeons = new Pigeons("pigeons", new ArrayList<>());

  /** Knows lofts by numbers. */
  private record Pigeons(String name, List<String> asked) implements Transport {
    @Override
    public Optional<String> addressFault(String address) {
      asked.add(address);
      return address.chars().allMatch(Character::isDigit)
          ? Optional.empty()
          : Optional.of("'" + address + "' is no loft (expected: a number); correct it");
    }

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.CHAINED;
    }

    @Override
    public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
      messages.forEach(message -> results.accept(message, SendResult.ACKNOWLEDGED));
    }

    @Override
    public Duration resultMax() {
      return Duration.ZERO;
    }

    @Override
    public Duration blockingMax() {
      return Duration.ZERO;
    }

    @Override
    public void flush(Duration timeout) {}

    @Override
    public void close() {}
  }

  private static AddressCheck check(String defaultTransport, Transport... transports) {
    AddressCheck check = new AddressCheck(defaultTransport);
    check.know(List.of(transports));
    return check;
  }

  private static void send(AddressCheck check, String destination) {
    MessageIntake.of(null)
        .checkingTransports(check)
        .accept(Message.of(destination, new byte[0]), Handover.NONE);
  }

  private static void assertTaken(AddressCheck check, String destination) {
    assertThatCode(() -> send(check, destination)).doesNotThrowAnyException();
  }

  private static void assertRefused(AddressCheck check, String destination) {
    assertRefused(check, destination, "destination: '" + destination + "': 'the tower' is no loft");
  }

  private static void assertRefused(AddressCheck check, String destination, String start) {
    assertThatThrownBy(() -> send(check, destination))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith(start + " (expected: a number); correct it");
  }

  @Test
  void anAddressThatItsTransportFindsMalformedIsRefusedWhenItIsSent() {
    AddressCheck check = check(null, pigeons);

    assertTaken(check, "pigeons:17");
    assertRefused(check, "pigeons:the tower");
    assertRefused(check, "pigeons:the tower");
  }

  @Test
  void aDestinationWithoutATransportIsAskedOfTheOnlyOne() {
    assertRefused(check(null, pigeons), "the tower", "destination: 'the tower' is no loft");
  }

  @Test
  void aDestinationWithoutATransportIsAskedOfTheDefaultOne() {
    Pigeons others = new Pigeons("others", new ArrayList<>());

    assertRefused(
        check("pigeons", others, pigeons), "the tower", "destination: 'the tower' is no loft");
    assertThat(others.asked()).isEmpty();
  }

  @Test
  void withSeveralAndNoDefaultADestinationWithoutATransportIsTaken() {
    assertTaken(check(null, new Pigeons("others", new ArrayList<>()), pigeons), "the tower");
  }

  @Test
  void aDestinationOfATransportThatIsElsewhereIsTaken() {
    assertTaken(check(null, pigeons), "ravens:the tower");
  }

  @Test
  void aDestinationOfATransportThatIsElsewhereIsRefusedWhereThatIsChosen() {
    AddressCheck refusing = refusing(pigeons, new Pigeons("doves", new ArrayList<>()));

    assertTaken(refusing, "pigeons:17");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> send(refusing, "ravens:17"))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessage(
              "destination: 'ravens:17': this process has no transport 'ravens' (expected: one of"
                  + " doves, pigeons); correct the destination, or set"
                  + " angarium.unknown-transport=warn if another process sends its messages");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "pigoens:17, ', did you mean pigeons?'",
    "pidgeons:17, ', did you mean pigeons?'",
    "ravens:17, ''"
  })
  void transportThatWasMeantIsNamed(String destination, String meant) {
    String given = destination.substring(0, destination.indexOf(':'));

    assertThatThrownBy(() -> send(refusing(pigeons), destination))
        .hasMessageContaining(
            "this process has no transport '" + given + "'" + meant + " (expected: one of pigeons");
  }

  @Test
  void aDestinationThatNamesNoneOfSeveralIsRefusedWhereThatIsChosen() {
    assertThatThrownBy(
            () -> send(refusing(pigeons, new Pigeons("doves", new ArrayList<>())), "the tower"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith(
            "destination: 'the tower': it names no transport, and none of several is the default");
  }

  @Test
  void aProcessWithoutTransportsRefusesNone() {
    assertTaken(refusing(), "ravens:17");
  }

  @Test
  void whatIsSentElsewhereIsNotAskedOfTheTransportsOfThisProcess() {
    MessageIntake here = MessageIntake.of(null).checkingTransports(refusing(pigeons));

    assertThatCode(
            () -> here.sentElsewhere().accept(Message.of("ravens:17", new byte[0]), Handover.NONE))
        .doesNotThrowAnyException();
  }

  private static AddressCheck refusing(Transport... transports) {
    AddressCheck check = new AddressCheck(null, UnknownTransport.REFUSE);
    check.know(List.of(transports));
    return check;
  }

  @Test
  void untilTransportsAreKnownEveryDestinationIsTaken() {
    AddressCheck check = new AddressCheck(null);
    assertTaken(check, "pigeons:the tower");

    check.know(List.of(pigeons));

    assertRefused(check, "pigeons:the tower");
  }

  @Test
  void whatTheLibraryKnowsIsCheckedAllTheSame() {
    assertThatThrownBy(() -> send(check(null, pigeons), "kafka:a b"))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void aTransportIsAskedOnceAboutADestination() {
    AddressCheck check = check(null, pigeons);

    for (int i = 0; i < 100; i++) {
      check.accept(Destination.parse("pigeons:17"));
    }

    assertThat(pigeons.asked()).containsExactly("17");
  }

  @Test
  void noMoreThanSoManyDestinationsAreRemembered() {
    AddressCheck check = check(null, pigeons);
    for (int i = 0; i < AddressCheck.REMEMBERED_MAX; i++) {
      check.accept(Destination.parse("pigeons:" + i));
    }
    pigeons.asked().clear();

    check.accept(Destination.parse("pigeons:7"));
    check.accept(Destination.parse("pigeons:1000000"));
    check.accept(Destination.parse("pigeons:1000000"));

    assertThat(pigeons.asked()).containsExactly("1000000", "1000000");
  }
}
