package io.angarium.http.internal.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates in headers, in each of the three forms that a recipient must take (RFC 9110, section
 * 5.6.7). The name of the day is not compared with the date.
 */
public final class HttpDate {
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  private static final String TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";
  private static final String MONTH = "(?<month>[A-Z][a-z]{2})";

  /** The form of today, that of RFC 850, and that of C's {@code asctime}. */
  private static final List<Pattern> FORMS =
      List.of(
          Pattern.compile(
              "[A-Z][a-z]{2}, (?<day>\\d{1,2}) " + MONTH + " (?<year>\\d{4}) " + TIME + " GMT"),
          Pattern.compile(
              "[A-Z][a-z]{5,8}, (?<day>\\d{2})-" + MONTH + "-(?<year>\\d{2}) " + TIME + " GMT"),
          Pattern.compile(
              "[A-Z][a-z]{2} " + MONTH + " (?<day>[ \\d]\\d) " + TIME + " (?<year>\\d{4})"));

  private static final int YEARS_AHEAD_MAX = 50;
  private static final int CENTURY = 100;
  private static final int LEAP_SECOND = 60;

  private HttpDate() {}

  /**
   * What a text says, if it is such a date.
   *
   * @param now a year of two digits is the latest one that is no more than 50 years after this
   */
  public static Optional<Instant> parse(String text, Instant now) {
    String date = text.strip();
    for (Pattern form : FORMS) {
      Matcher parts = form.matcher(date);
      if (parts.matches()) {
        return instant(parts, now);
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> instant(Matcher parts, Instant now) {
    String year = parts.group("year");
    try {
      return Optional.of(
          year.length() == 2
              ? nearest(parts, Integer.parseInt(year), now)
              : at(parts, Integer.parseInt(year)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Instant nearest(Matcher parts, int twoDigits, Instant now) {
    LocalDateTime limit = LocalDateTime.ofInstant(now, ZoneOffset.UTC).plusYears(YEARS_AHEAD_MAX);
    int year = limit.getYear() - Math.floorMod(limit.getYear() - twoDigits, CENTURY);
    Instant latest = at(parts, year);
    return latest.isAfter(limit.toInstant(ZoneOffset.UTC)) ? at(parts, year - CENTURY) : latest;
  }

  private static Instant at(Matcher parts, int year) {
    int second = number(parts, "second");
    int leap = second == LEAP_SECOND ? 1 : 0;
    return LocalDateTime.of(
            year,
            MONTHS.indexOf(parts.group("month")) + 1,
            number(parts, "day"),
            number(parts, "hour"),
            number(parts, "minute"),
            second - leap)
        .plusSeconds(leap)
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(Matcher parts, String name) {
    return Integer.parseInt(parts.group(name).strip());
  }
}
