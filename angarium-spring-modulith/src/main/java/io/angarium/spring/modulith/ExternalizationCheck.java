package io.angarium.spring.modulith;

import io.angarium.ConfigFaults;
import io.angarium.Outbox;
import io.angarium.PayloadCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Stops the start if events would be lost or sent twice: without an outbox or a codec, or beside
 * another way in which Spring Modulith sends them. Thread-safe.
 */
final class ExternalizationCheck implements SmartInitializingSingleton {
  private static final String SINCE_2_1 = "org.springframework.modulith.events.ExternalizationMode";

  /** Beans of these types send the same events. */
  private static final List<String> OTHER_WAYS =
      List.of(
          "org.springframework.modulith.events.support.EventExternalizerModuleListener",
          "org.springframework.modulith.events.support.DelegatingEventExternalizer",
          "org.springframework.modulith.events.namastack.NamastackOutboxEventRecorder",
          "org.springframework.modulith.events.jobrunr.JobRunrEventExternalizer");

  private final ApplicationContext context;

  ExternalizationCheck(ApplicationContext context) {
    this.context = context;
  }

  @Override
  public void afterSingletonsInstantiated() {
    ConfigFaults faults = new ConfigFaults();
    if (find(SINCE_2_1) == null) {
      faults.add(
          "Spring Modulith: older than 2.1 (expected: 2.1 or newer, on Spring Boot 4.1);"
              + " without it, send from an @EventListener, see docs/modulith.md");
    } else {
      String mode = context.getEnvironment().getProperty(OutboxModeDefault.MODE);
      faults.require(
          OutboxModeDefault.OUTBOX.equalsIgnoreCase(mode),
          OutboxModeDefault.MODE,
          mode,
          "outbox, or not set: angarium-spring-modulith sends the events; to let Spring Modulith"
              + " send them, remove it");
    }
    checkParts(faults);
    List<String> others = others();
    faults.require(
        others.isEmpty(),
        "externalization of events",
        "twice, by Angarium and by the beans " + others,
        "one way; remove these beans or the modules that bring them");
    faults.throwIfAny();
  }

  private void checkParts(ConfigFaults faults) {
    checkPart(
        faults,
        Outbox.class,
        "a DataSource, on which the starter makes one, or an Outbox of the application");
    checkPart(
        faults,
        PayloadCodec.class,
        "a JsonMapper bean, as spring-boot-starter-json brings, or a PayloadCodec of the"
            + " application");
  }

  private void checkPart(ConfigFaults faults, Class<?> type, String source) {
    if (context.getBeanProvider(type).getIfUnique() != null) {
      return;
    }
    List<String> names = List.of(context.getBeanNamesForType(type));
    faults.require(
        false,
        "externalization of events",
        names.isEmpty()
            ? "no " + type.getSimpleName() + " bean"
            : "the " + type.getSimpleName() + " beans " + names,
        names.isEmpty() ? source : "one, or one of them marked @Primary");
  }

  private List<String> others() {
    List<String> names = new ArrayList<>();
    for (String each : OTHER_WAYS) {
      Class<?> type = find(each);
      if (type != null) {
        names.addAll(Arrays.asList(context.getBeanNamesForType(type, true, false)));
      }
    }
    return names;
  }

  private @Nullable Class<?> find(String name) {
    ClassLoader loader = context.getClassLoader();
    return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
  }
}
