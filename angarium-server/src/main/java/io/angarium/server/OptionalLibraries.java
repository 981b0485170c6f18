package io.angarium.server;

import io.angarium.ConfigFaults;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** What the full jar has and the default one has not. */
final class OptionalLibraries {
  /** A class of Dubbo. */
  static final String DUBBO = "org.apache.dubbo.rpc.RpcContext";

  private static final String ROCKETMQ = "org.apache.rocketmq.client.producer.DefaultMQProducer";
  private static final String ROCKETMQ_SWITCH = "angarium.rocketmq.enabled";

  private OptionalLibraries() {}

  /** Whether Dubbo can be used. */
  static boolean hasDubbo() {
    return isPresent(DUBBO);
  }

  private static boolean isPresent(String name) {
    return ClassUtils.isPresent(name, OptionalLibraries.class.getClassLoader());
  }

  /** Adds a fault for each property that switches on what is not there. */
  static void gather(ServerProperties properties, Environment environment, ConfigFaults faults) {
    String dubbo = ServerProperties.PREFIX + ".dubbo.enabled";
    String asked = ServerProperties.PREFIX + ".check-back.dubbo.allowed-addresses";
    boolean asks = !properties.checkBack().dubbo().addresses().isEmpty();
    boolean rocket = OnSwitch.Switches.isOn(environment, ROCKETMQ_SWITCH, true);
    faults
        .require(hasDubbo() || !properties.dubbo().enabled(), dubbo, "true", without("Dubbo"))
        .require(hasDubbo() || !asks, asked, "set", without("Dubbo"))
        .require(isPresent(ROCKETMQ) || !rocket, ROCKETMQ_SWITCH, "true", without("RocketMQ"));
  }

  private static String without(String library) {
    return "another jar, as this one has no %s: start angarium-server-…-full.jar with the same options"
        .formatted(library);
  }
}
