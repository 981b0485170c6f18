package io.angarium.http.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
  private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sun, 06 Nov 1994 08:49:37 GMT | 1994-11-06T08:49:37Z",
        "Sunday, 06-Nov-94 08:49:37 GMT | 1994-11-06T08:49:37Z",
        "Sun Nov  6 08:49:37 1994 | 1994-11-06T08:49:37Z",
        "Sun Nov 16 08:49:37 1994 | 1994-11-16T08:49:37Z",
        "' Sun, 6 Nov 1994 08:49:37 GMT ' | 1994-11-06T08:49:37Z",
        "Sat, 31 Dec 2016 23:59:60 GMT | 2017-01-01T00:00:00Z",
        "Sunday, 22-Nov-76 08:00:00 GMT | 2076-11-22T08:00:00Z",
        "Sunday, 22-Nov-76 08:00:01 GMT | 1976-11-22T08:00:01Z",
        "Sunday, 22-Nov-77 08:00:00 GMT | 1977-11-22T08:00:00Z",
        "Wednesday, 01-Jan-00 00:00:00 GMT | 2000-01-01T00:00:00Z",
        "Wednesday, 01-Jan-75 00:00:00 GMT | 2075-01-01T00:00:00Z"
      })
  void eachFormIsRead(String text, Instant date) {
    assertThat(HttpDate.parse(text, NOW)).contains(date);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 08:49:37 +0100",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nix 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT"
      })
  void othersAreNone(String text) {
    assertThat(HttpDate.parse(text, NOW)).isEmpty();
  }
}
