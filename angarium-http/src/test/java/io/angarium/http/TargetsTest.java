package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.http.internal.client.Target;
import io.angarium.transport.SendResult.Refused;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where requests may go, and where they must not. */
class TargetsTest {
  private final Targets targets =
      new Targets(
          HttpConfig.of(
                  HttpHook.of("orders", "https://shop.example/hooks/orders?key=s3cret")
                      .secrets(List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
                      .headers(Map.of("Authorization", "Bearer s3cret"))
                      .timeout(Duration.ofSeconds(9)))
              .allowedHosts(
                  Set.of("Partner.example", "10.0.0.7:8080", "[::1]:9000", "odd.example:8443")),
          "http");

  @Test
  void hookIsFoundByItsName() {
    Target hook = targets.of("orders").orElseThrow();

    assertThat(hook.url().uri()).hasToString("https://shop.example/hooks/orders?key=s3cret");
    assertThat(hook.headers()).containsEntry("Authorization", "Bearer s3cret");
    assertThat(hook.timeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(hook.signature()).isPresent();
    assertThat(hook.label()).isEqualTo("hook 'orders' at https://shop.example");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://shop.example/else",
        "https://SHOP.example:443/",
        "HTTPS://shop.example",
        "http://partner.example/a?b=c",
        "https://partner.example/",
        "http://partner.example:80/",
        "https://partner.example:443/%E8%AE%A2",
        "https://partner.example/\u8ba2\u5355",
        "http://10.0.0.7:8080/x",
        "https://10.0.0.7:8080/x",
        "http://[::1]:9000/x",
        "https://odd.example:8443/x"
      })
  void wholeAddressesOnAllowedHostsAreTargets(String address) {
    Target target = targets.of(address).orElseThrow();

    assertThat(target.url().uri().toString()).matches("\\p{ASCII}+");
    assertThat(target.signature()).as("no secret of a hook on the same host").isEmpty();
    assertThat(target.headers()).as("no credentials of a hook on the same host").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "https://evil.shop.example/",
        "https://shop.example.evil.example/",
        "https://shop.example./",
        "http://shop.example/",
        "https://shop.example:8443/",
        "http://partner.example:443/",
        "https://odd.example/",
        "http://127.0.0.1/",
        "http://10.0.0.7/",
        "http://10.0.0.7:8081/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]:9000/",
        "http://[::ffff:10.0.0.7]:8080/",
        "http://localhost:8080/",
        "http://169.254.169.254/latest/meta-data/"
      })
  void otherHostsAndPortsAreRefusedWithWhatIsAllowed(String address) {
    assertThat(targets.of(address)).isEmpty();
    assertReason(address)
        .contains(address, " is not allowed (expected: one of allowed-hosts)", "requeue")
        .doesNotContain("[10.0.0.7:8080, ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//shop.example/x",
        "/hooks/orders",
        "ftp://shop.example/",
        "file:///etc/passwd",
        "jar:https://shop.example/x",
        "https:/shop.example/x",
        "https:///x",
        "https://user@shop.example/",
        "https://user:password@shop.example/",
        "https://shop.example@evil.example/",
        "https://evil.example#@shop.example/",
        "https://shop.example/#part",
        "https://shop.example:0/",
        "https://shop.example:99999/",
        "https://shop.example:x/",
        "https://shop.example /x",
        "https://shop.example/a b",
        "https://shop.example\\@evil.example/",
        "https://shop_example/",
        "https://%73hop.example/",
        "https://\u24e2hop.example/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "https://[::1%25eth0]:9000/",
        "https://[::1/"
      })
  void malformedAddressesAreRefusedWithTheForm(String address) {
    assertThat(targets.of(address)).isEmpty();
    assertReason(address).contains(address, "expected", "://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"orderz", "Orders", "shop.example", "orders ", "mailto:x"})
  void unknownNamesAreRefusedWithThoseThatAreKnown(String address) {
    assertThat(targets.of(address)).isEmpty();
    assertReason(address).contains("http:" + address + ": ", "[orders]", "https://host/path");
  }

  @Test
  void reasonsAreShort() {
    assertReason("https://evil.example/" + "x".repeat(450)).hasSizeLessThan(500);
  }

  private org.assertj.core.api.AbstractStringAssert<?> assertReason(String address) {
    return assertThat(targets.refusal(address))
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString();
  }
}
