package io.angarium.kafka.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfCall;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the producer of a half message in TrustMessage's form is asked. */
final class HalfRecordJsonTest {
  private static HalfCall read(String verifyInfo) {
    String json =
        "{\"bizID\":1,\"messageKey\":\"k\",\"messageStatus\":1,\"message\":\"m\",\"forwardTopic\":\"t\""
            + verifyInfo
            + "}";
    return HalfRecordJson.read(json.getBytes(UTF_8), "kafka");
  }

  private static URI checkBack(String verifyInfo) {
    return assertThat(read(verifyInfo))
        .asInstanceOf(type(HalfCall.Prepare.class))
        .actual()
        .message()
        .checkBack();
  }

  /** As over Dubbo: a producer changes nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"protocolType\":1,\"url\":\"http://shop/verify\"; trustmessage+http://shop/verify",
        "\"protocolType\":2,\"url\":\"shop:20880/Verify?timeout=1\",\"version\":\"1.0\"; dubbo://shop:20880?version=1.0",
        "\"protocolType\":\"2\",\"registryProtocol\":\"zookeeper\",\"registryAddress\":\"a:2181,b\"; zookeeper://a:2181,b:2181",
        "\"protocolType\":2,\"url\":null,\"registryAddress\":\"nacos://host\"; nacos://host:8848",
      })
  void eachFormOfTrustMessageIsUnderstood(String fields, URI expected) {
    assertThat(checkBack(",\"verifyInfo\":{" + fields + "}")).isEqualTo(expected);
  }

  @Test
  void withoutAProtocolNobodyIsAsked() {
    assertThat(checkBack("")).isNull();
    assertThat(checkBack(",\"verifyInfo\":null")).isNull();
    assertThat(checkBack(",\"verifyInfo\":{\"url\":\"http://shop\"}")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"protocolType\":3; verifyInfo.protocolType: 3",
        "\"protocolType\":\"grpc\"; verifyInfo.protocolType: 'grpc'",
        "\"protocolType\":1,\"url\":\"shop\"; verifyInfo.url: shop",
        "\"protocolType\":2,\"url\":\"http://shop\"; verifyInfo.url: http://shop",
      })
  void whatIsNoneIsNamed(String fields, String fault) {
    assertThatThrownBy(() -> read(",\"verifyInfo\":{" + fields + "}"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith(fault);
  }
}
