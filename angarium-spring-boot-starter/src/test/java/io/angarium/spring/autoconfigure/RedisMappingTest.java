package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.ConfigurationException;
import io.angarium.spring.autoconfigure.internal.details.DetailsReader;
import io.angarium.spring.autoconfigure.internal.details.RedisDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.RedisMapping;
import io.angarium.spring.settings.AngariumProperties;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** How the inbox finds the Redis of the application, and what is a fault. */
class RedisMappingTest {
  private static final SslBundle BUNDLE =
      SslBundle.of(new JksSslStoreBundle(null, null), SslBundleKey.NONE);

  private final Map<String, Object> properties = new HashMap<>(Map.of("angarium.enabled", "true"));
  private final GenericApplicationContext context = new GenericApplicationContext();

  @BeforeEach
  void take() {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("given", properties));
    context.registerBean(
        DetailsReader.class, AngariumBoot4DetailsAutoConfiguration.OnRedis::angariumRedisDetails);
    context.registerBean(SslBundles.class, () -> new DefaultSslBundleRegistry("redis", BUNDLE));
  }

  @AfterEach
  void close() {
    context.close();
  }

  private void with(String name, String value) {
    properties.put(name, value);
  }

  private void details(DataRedisConnectionDetails.Standalone standalone, SslBundle bundle) {
    context.registerBean(
        DataRedisConnectionDetails.class,
        () ->
            new DataRedisConnectionDetails() {
              @Override
              public Standalone getStandalone() {
                return standalone;
              }

              @Override
              public SslBundle getSslBundle() {
                return bundle;
              }
            });
  }

  private RedisDefaults spring() {
    if (!context.isActive()) {
      context.refresh();
    }
    return RedisDefaults.of(context);
  }

  private AngariumProperties.Redis given() {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bind("angarium", AngariumProperties.class)
        .get()
        .inbox()
        .redis();
  }

  private RedisURI uri() {
    return RedisMapping.uri(given(), spring());
  }

  private List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Runnable check : RedisMapping.checks(given(), spring())) {
      try {
        check.run();
      } catch (ConfigurationException e) {
        faults.addAll(e.faults());
      }
    }
    return faults;
  }

  @Test
  void sentinelsOfSpringAreTakenOver() {
    with("spring.data.redis.sentinel.master", "main");
    with("spring.data.redis.sentinel.nodes", "a:1,b,[::1]:3");
    with("spring.data.redis.database", "2");

    assertThat(uri().getSentinelMasterId()).isEqualTo("main");
    assertThat(uri().getDatabase()).isEqualTo(2);
    assertThat(uri().getSentinels()).extracting(RedisURI::getPort).containsExactly(1, 26379, 3);
    assertThat(faults()).isEmpty();
  }

  @Test
  void aBundleSwitchesTlsOnUnlessThatIsSwitchedOff() {
    with("spring.data.redis.host", "a");
    with("spring.data.redis.ssl.bundle", "redis");

    assertThat(uri().isSsl()).isTrue();
    assertThat(RedisMapping.sslOptions(given(), spring())).isNotNull();
    assertThat(faults()).isEmpty();

    with("spring.data.redis.ssl.enabled", "false");
    assertThat(uri().isSsl()).isFalse();
    assertThat(RedisMapping.sslOptions(given(), spring())).isNull();
  }

  @Test
  void aBundleThatIsUnknownIsAFault() {
    with("spring.data.redis.url", "rediss://a:1");
    with("spring.data.redis.ssl.bundle", "bunch");

    assertThat(faults())
        .containsExactly(
            "spring.data.redis.ssl.bundle: bunch (expected: the name of a bundle below"
                + " spring.ssl.bundle)");
  }

  @Test
  void anAddressOfOursWithoutTheTlsOfSpringIsAFaultUnlessItIsAnotherRedis() {
    with("spring.data.redis.url", "rediss://a:1/0");
    with("angarium.inbox.redis.uri", "redis://user:hush@a:1/0");

    assertThat(faults())
        .containsExactly(
            "inbox.redis.uri: a:1/0 without TLS (expected: not set, or TLS, as spring.data.redis"
                + " says for the same Redis)");

    with("angarium.inbox.redis.uri", "redis://b:1/0");
    assertThat(faults()).isEmpty();
  }

  @Test
  void connectionDetailsCountBeforeSpringsProperties() {
    with("spring.data.redis.url", "redis://production:1/3");
    details(DataRedisConnectionDetails.Standalone.of("container", 1234, 5), BUNDLE);

    assertThat(uri().getHost()).isEqualTo("container");
    assertThat(uri().getPort()).isEqualTo(1234);
    assertThat(uri().getDatabase()).isEqualTo(5);
    assertThat(uri().isSsl()).isTrue();
    assertThat(RedisMapping.sslOptions(given(), spring())).isNotNull();
    assertThat(faults()).isEmpty();
  }

  @Test
  void anAddressOfOursThatContradictsConnectionDetailsIsAFault() {
    details(DataRedisConnectionDetails.Standalone.of("container", 1234), null);
    with("angarium.inbox.redis.uri", "redis://user:hush@production:1/0");

    assertThat(faults())
        .containsExactly(
            "inbox.redis.uri: production:1/0 without TLS (expected: not set, or container:1234/0"
                + " without TLS as the bean of RedisConnectionDetails says; for another Redis"
                + " define a bean of RedisClient)");

    with("angarium.inbox.redis.uri", "redis://container:1234");
    assertThat(faults()).isEmpty();
  }

  @Test
  void aClusterIsAFault() {
    with("spring.data.redis.cluster.nodes", "a:1,b:2");

    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("inbox.redis.uri: not set, and spring.data.redis.cluster.nodes is not read");
  }

  @Test
  void connectionDetailsWithoutABundleAreWithoutTls() {
    with("spring.data.redis.ssl.enabled", "true");
    details(DataRedisConnectionDetails.Standalone.of("container", 1234), null);

    assertThat(uri().isSsl()).isFalse();
    assertThat(RedisMapping.sslOptions(given(), spring())).isNull();
    assertThat(faults()).isEmpty();
  }

  @Test
  void anAddressOfOursBesideConnectionDetailsThatCannotBeComparedIsAFault() {
    details(null, null); // of a cluster
    with("angarium.inbox.redis.uri", "redis://user:hush@production:1/0");

    assertThat(faults())
        .containsExactly(
            "inbox.redis.uri: production:1/0 without TLS (expected: not set, as the bean of"
                + " RedisConnectionDetails names no single Redis and no sentinels; for another"
                + " Redis define a bean of RedisClient)");
  }

  @Test
  void aHostOfConnectionDetailsMayBeAnAddressOfIpv6() {
    details(DataRedisConnectionDetails.Standalone.of("::1", 1234), null);
    assertThat(uri().getHost()).isEqualTo("[::1]");
    assertThat(uri().getPort()).isEqualTo(1234);

    with("angarium.inbox.redis.uri", "redis://[::1]:1234");
    assertThat(faults()).isEmpty();
  }
}
