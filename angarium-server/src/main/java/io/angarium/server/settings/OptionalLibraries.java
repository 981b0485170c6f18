package io.angarium.server.settings;

import io.angarium.ConfigFaults;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** What the full jar has and the default one has not. */
public final class OptionalLibraries {
  /** A class of Dubbo. */
  public static final String DUBBO = "org.apache.dubbo.rpc.RpcContext";

  private static final String ROCKETMQ = "org.apache.rocketmq.client.producer.DefaultMQProducer";
  private static final String ROCKETMQ_SWITCH = "angarium.rocketmq.enabled";

  /** A class that Kafka's client reads tokens with. */
  private static final String TOKENS = "com.fasterxml.jackson.databind.ObjectMapper";

  /** Prefixes of what is handed to Kafka's client. */
  private static final List<String> OF_KAFKA =
      List.of("angarium.kafka.properties", "spring.kafka.properties");

  private static final String MECHANISM = "sasl.mechanism";

  private OptionalLibraries() {}

  /** Whether Dubbo can be used. */
  public static boolean hasDubbo() {
    return isPresent(DUBBO);
  }

  private static boolean isPresent(String name) {
    return ClassUtils.isPresent(name, OptionalLibraries.class.getClassLoader());
  }

  /** Adds a fault for each property that switches on what is not there. */
  public static void gather(
      ServerProperties properties, Environment environment, ConfigFaults faults) {
    String dubbo = ServerProperties.PREFIX + ".dubbo.enabled";
    String asked = ServerProperties.PREFIX + ".check-back.dubbo.allowed-addresses";
    boolean asks = !properties.checkBack().dubbo().addresses().isEmpty();
    boolean rocket = OnSwitch.Switches.isOn(environment, ROCKETMQ_SWITCH, true);
    faults
        .require(hasDubbo() || !properties.dubbo().enabled(), dubbo, "true", without("Dubbo"))
        .require(hasDubbo() || !asks, asked, "set", without("Dubbo"))
        .require(isPresent(ROCKETMQ) || !rocket, ROCKETMQ_SWITCH, "true", without("RocketMQ"));
    for (String prefix : OF_KAFKA) {
      boolean tokens = "OAUTHBEARER".equals(map(environment, prefix).get(MECHANISM));
      faults.require(
          isPresent(TOKENS) || !tokens,
          prefix + "." + MECHANISM,
          "OAUTHBEARER",
          without("Jackson 2 for it"));
    }
  }

  /** In whatever way its keys are written. */
  private static Map<String, String> map(Environment environment, String prefix) {
    return Binder.get(environment)
        .bind(prefix, Bindable.mapOf(String.class, String.class))
        .orElse(Map.of());
  }

  private static String without(String library) {
    return "another jar, as this one has no %s: start angarium-server-…-full.jar with the same options"
        .formatted(library);
  }
}
