package io.angarium.http.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.http.alert.HttpAlertConfig.Kind;
import io.angarium.http.alert.HttpAlertConfig.Timing;
import io.angarium.http.internal.url.WebUrl;
import java.time.Duration;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAlertConfigTest {
  private static final String URL = "https://chat.example/hush";
  private static final Duration MINUS = Duration.ofSeconds(-1);

  private static ListAssert<String> assertFaults(ThrowingCallable call) {
    ConfigurationException thrown = catchThrowableOfType(ConfigurationException.class, call);
    assertThat(thrown).isNotNull();
    return assertThat(thrown.faults());
  }

  @Test
  void listsAllFaultsAtOnce() {
    assertFaults(
            () ->
                new HttpAlertConfig(
                    "Ops",
                    Kind.ALERTMANAGER,
                    "http://chat.example/hush?hush=1",
                    "hush",
                    false,
                    false,
                    new Timing(MINUS, MINUS, MINUS)))
        .containsExactly(
            "alerts.channels: 'Ops' (expected: a name of 1..64 of a-z, 0-9, -)",
            "alerts.channels.Ops.url: http://chat.example (expected: https://, as everybody on the"
                + " way can read it; or allow plain HTTP)",
            "alerts.channels.Ops.url: a query (expected: the base address of an Alertmanager,"
                + " without a query)",
            "alerts.channels.Ops.secret: given (expected: none, as this kind has no signature)",
            "alerts.channels.Ops.connect-timeout: -1s (expected: 50ms..1m)",
            "alerts.channels.Ops.timeout: -1s (expected: 100ms..1m)",
            "alerts.channels.Ops.firing: -1s (expected: 5m..60d)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hush",
        "ftp://hush",
        "https://hush@chat.example",
        "https://h/a b",
        "https:///"
      })
  void addressThatIsNoneDoesNotShow(String url) {
    assertFaults(() -> HttpAlertConfig.of("ops", Kind.SLACK, url))
        .containsExactly("alerts.channels.ops.url: its value (expected: " + WebUrl.FORM + ")");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"WEBHOOK", "DINGTALK", "FEISHU"})
  void secretOfAnotherFormDoesNotShow(Kind kind) {
    assertFaults(() -> HttpAlertConfig.of("ops", kind, URL).secret("h\u00fcsh hush"))
        .singleElement()
        .asString()
        .startsWith("alerts.channels.ops.secret")
        .doesNotContain("h\u00fcsh hush");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:9093",
        "http://127.0.0.1/",
        "http://[::1]/",
        "https://a.example"
      })
  void thisMachineNeedsNoTls(String url) {
    assertThatCode(() -> HttpAlertConfig.of("ops", Kind.SLACK, url)).doesNotThrowAnyException();
  }

  @Test
  void plainHttpCanBeAllowed() {
    HttpAlertConfig config =
        new HttpAlertConfig(
            "ops", Kind.SLACK, "http://chat.example/x", null, true, false, Timing.DEFAULTS);

    assertThat(config.direct(true).direct()).isTrue();
    assertThat(config.direct(true).plainHttp()).isTrue();
  }
}
