package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.http.HttpConfig.Limits;
import io.angarium.http.HttpConfig.Timing;
import io.angarium.http.internal.url.WebUrl;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConfigTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final HttpHook HOOK = HttpHook.of("orders", "https://shop.example/path");

  @Test
  void listsAllFaultsAtOnce() {
    assertFaults(
            () ->
                new HttpConfig(
                    "a b",
                    " ",
                    "json",
                    List.of(HOOK, HOOK),
                    Set.of("*.example"),
                    Timing.DEFAULTS,
                    Limits.DEFAULTS))
        .containsExactly(
            "http.source: 'a b' (expected: a URI, 1..200 characters)",
            "http.type: ' ' (expected: 1..200 characters)",
            "http.content-type: 'json' (expected: type/subtype)",
            "http.hooks: orders (expected: each name once)",
            "http.allowed-hosts: '*.example' (expected: a host, or host:port; no wildcards)");
  }

  @Test
  void listsAllFaultsOfTimesAndLimits() {
    Duration below = Duration.ofSeconds(-1);
    assertFaults(() -> new Timing(below, below, below, below))
        .hasSize(4)
        .allMatch(fault -> fault.contains(": -1s (expected: "));
    assertFaults(() -> new Limits(0, 0, 0))
        .containsExactly(
            "http.in-flight-per-hook: 0 (expected: 1..1000)",
            "http.in-flight: 0 (expected: 1..10000)",
            "http.waiting: 0 (expected: 1..100000)");
  }

  @Test
  void listsAllFaultsOfAHookWithoutItsSecrets() {
    assertFaults(
            () ->
                new HttpHook(
                    "Orders",
                    "https://me:password@shop.example",
                    List.of("hush"),
                    Map.of("Host", "h\u00fbsh"),
                    Duration.ZERO,
                    false))
        .hasSize(6)
        .contains(
            "http.hooks: 'Orders' (expected: a name of 1..64 of a-z, 0-9, -)",
            "http.hooks.Orders.url: a text with an @ (expected: " + WebUrl.FORM + ")",
            "http.hooks.Orders.headers: 'Host' (expected: a header that nobody else sets)",
            "http.hooks.Orders.timeout: 0s (expected: 100ms..5m)")
        .noneMatch(fault -> fault.contains("hush"))
        .noneMatch(fault -> fault.contains("h\u00fbsh"))
        .noneMatch(fault -> fault.contains("password"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ce-id",
        "CE-source",
        "webhook-signature",
        "angarium-headers",
        "content-type",
        "Content-Length",
        "host",
        "connection",
        "transfer-encoding",
        "traceparent",
        "x y",
        "x:y",
        "x\r\ny",
        ""
      })
  void doesNotTakeHeadersThatOthersSet(String name) {
    assertFaults(() -> HOOK.headers(Map.of(name, "value"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " x", "x ", "x\r\ny: z", "\u8ba2"})
  void doesNotTakeValuesThatAreNoHeader(String value) {
    assertFaults(() -> HOOK.headers(Map.of("Authorization", value)))
        .singleElement()
        .asString()
        .startsWith("http.hooks.orders.headers.Authorization: its value (expected: ");
  }

  @ParameterizedTest
  @CsvSource({"a", "a.b-c.example", "A.example:1", "10.0.0.7:8080", "[::1]:80", "[::1]"})
  void takesHostsWithAndWithoutPorts(String host) {
    assertThat(HttpConfig.allowing(host).allowedHosts()).containsExactly(host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "*",
        "*.a",
        "https://a",
        "a/b",
        "a:0",
        "a:65536",
        "a:",
        ":1",
        "a@b"
      })
  void doesNotTakeOtherFormsOfHosts(String host) {
    assertFaults(() -> HttpConfig.allowing(host))
        .singleElement()
        .asString()
        .startsWith("http.allowed-hosts: '" + host + "'");
  }

  @Test
  void doesNotTakeNothing() {
    assertFaults(HttpConfig::of)
        .containsExactly("http.hooks: none (expected: at least one, or an entry of allowed-hosts)");
  }

  @Test
  void eachCopyChangesItsPartOnly() {
    Timing timing = new Timing(second(1), second(2), second(3), second(4));
    HttpHook hook =
        HOOK.secrets(List.of(SECRET))
            .headers(Map.of("X-Tenant", "eu"))
            .timeout(second(9))
            .retryRefused(true);
    HttpConfig config =
        HttpConfig.of(HOOK)
            .source("urn:shop")
            .type("t")
            .contentType("text/plain; charset=utf-8")
            .hooks(List.of(hook))
            .allowedHosts(Set.of("a"))
            .timing(timing)
            .limits(new Limits(1, 2, 3));

    assertThat(config)
        .isEqualTo(
            new HttpConfig(
                "urn:shop",
                "t",
                "text/plain; charset=utf-8",
                List.of(
                    new HttpHook(
                        "orders",
                        "https://shop.example/path",
                        List.of(SECRET),
                        Map.of("X-Tenant", "eu"),
                        second(9),
                        true)),
                Set.of("a"),
                timing,
                new Limits(1, 2, 3)));
  }

  @Test
  void itsTextHidesPathsSecretsAndValuesOfHeaders() {
    HttpHook hook =
        HttpHook.of("orders", "https://shop.example/token-in-path?key=hush")
            .secrets(List.of(SECRET))
            .headers(Map.of("Authorization", "Bearer hush"));

    assertThat(HttpConfig.of(hook).toString())
        .contains("orders", "https://shop.example/...", "secrets=1", "[Authorization]")
        .doesNotContain("hush")
        .doesNotContain("token-in-path")
        .doesNotContain(SECRET);
  }

  @Test
  void resultsTakeNoLongerThanTheSlowestHookMay() {
    HttpHook slow = HOOK.timeout(Duration.ofSeconds(20));
    try (HttpTransport transport = HttpTransport.open(HttpConfig.of(slow));
        HttpTransport usual = HttpTransport.open(HttpConfig.of(HOOK))) {
      assertThat(usual.resultMax()).isEqualTo(Duration.ofSeconds(23));
      assertThat(transport.resultMax()).isEqualTo(Duration.ofSeconds(28));
    }
  }

  private static Duration second(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static ListAssert<String> assertFaults(ThrowingCallable wrong) {
    ConfigurationException failure = catchThrowableOfType(ConfigurationException.class, wrong);
    assertThat(failure).as("was taken").isNotNull();
    return assertThat(failure.faults());
  }
}
