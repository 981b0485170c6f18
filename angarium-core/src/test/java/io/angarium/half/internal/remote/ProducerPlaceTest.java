package io.angarium.half.internal.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms in which producers of TrustMessage say where they are asked. */
class ProducerPlaceTest {
  private static String address(
      int protocol,
      @Nullable String registry,
      @Nullable String places,
      @Nullable String url,
      @Nullable String version) {
    return new ProducerPlace(protocol, registry, places, url, version).address().toString();
  }

  @Test
  void overHttpTheUrlIsAll() {
    assertThat(address(1, "zookeeper", "zk:2181", " http://shop:8080/verify?a=1 ", "1.0.0"))
        .isEqualTo("trustmessage+http://shop:8080/verify?a=1");
  }

  @ParameterizedTest
  @CsvSource({
    "dubbo://shop:20880,, dubbo://shop:20880",
    "dubbo://Shop,, dubbo://shop:20880",
    "shop:20990, 1.0.0, dubbo://shop:20990?version=1.0.0",
    "tri://shop:50052,, tri://shop:50052",
    "zookeeper://zk:2181?version=1.0,, zookeeper://zk:2181?version=1.0",
    "dubbo://shop:20880/com.example.Verify?timeout=1&version=2.0&group=g,, dubbo://shop:20880?version=2.0&group=g",
    "dubbo://shop:20880?version=2.0, 1.0.0, dubbo://shop:20880?version=1.0.0",
  })
  void aUrlOfDubboIsThePlaceAndTheNamesOfTheService(
      String url, @Nullable String version, String expected) {
    assertThat(address(2, "zookeeper", "zk:2181", url, version)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "zookeeper; a:2181,b:2182; 1.0.0; zookeeper://a:2181,b:2182?version=1.0.0",
        "nacos; host; ; nacos://host:8848",
        "; zookeeper://a:2181; ; zookeeper://a:2181",
        "zookeeper; zookeeper://a:2181?backup=b:2181,c; ; zookeeper://a:2181,b:2181,c:2181",
      })
  void withoutAUrlTheRegistryKnowsIt(
      @Nullable String registry, String places, @Nullable String version, String expected) {
    assertThat(address(2, registry, places, " ", version)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "3, null, null, http://shop/, .protocolType: 3 (expected: 1 for HTTP; 2 for Dubbo)",
        "1, null, null, null, .url: null (expected: http://… or https://…)",
        "1, null, null, file:///etc/passwd, .url: file:///etc/passwd",
        "2, null, null, null, '.url: null (expected: dubbo://host:port, or a registryAddress)'",
        "2, null, null, http://shop:80, .url: http://shop:80 (expected: dubbo://host:port",
        "2, etcd, zk:2181, null, .registryProtocol and registryAddress: etcd://zk:2181",
      })
  void whatIsNoneNamesTheField(
      int protocol, String registry, String places, String url, String fault) {
    assertThatThrownBy(() -> address(protocol, registry, places, url, null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("verifyInfo" + fault.replace("; 2", ", 2"));
  }
}
