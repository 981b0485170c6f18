package io.angarium.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Finding;
import io.angarium.alert.Severity;
import io.angarium.board.UnreachableProducer;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.Cause;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnicodeTextTest {
  @ParameterizedTest
  @CsvSource({
    "ab, 3, ab",
    "abc, 3, abc",
    "abcd, 3, abc",
    "a😀b, 2, a",
    "a😀b, 3, a😀",
    "😀, 1, ''"
  })
  void cutsBetweenCharacters(String text, int lengthMax, String expected) {
    assertThat(UnicodeText.cut(text, lengthMax)).isEqualTo(expected);
  }

  /** A database refuses half a character, and with it the whole row. */
  @Test
  void whatIsStoredIsCutBetweenCharacters() {
    for (String begin : List.of("", "a")) { // one of them has its limit within a character
      String text = begin + "😀".repeat(2_000);
      ActBy by = ActBy.of("bob", "why", ActBy.Via.API);
      assertCut(text, AuditEntry.of(by, "pause", "destination", text, null).target());
      assertCut(text, Finding.ofOutbox(Severity.WARNING, 1, text).text());
      assertCut(text, Cause.of(text).text());
      UnreachableProducer producer = new UnreachableProducer(text, Instant.EPOCH, text);
      assertCut(text, producer.endpoint());
      assertCut(text, producer.reason());
    }
  }

  private static void assertCut(String whole, String text) {
    assertThat(text).hasSizeBetween(10, whole.length() - 1);
    assertThat(UnicodeText.brokenAt(text)).isEqualTo(-1);
  }
}
