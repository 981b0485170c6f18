package io.angarium.spring.autoconfigure;

import io.angarium.spring.autoconfigure.internal.details.SpringKafka;
import io.angarium.spring.autoconfigure.internal.details.SpringRabbit;
import io.angarium.spring.autoconfigure.internal.details.SpringRedis;
import io.angarium.spring.settings.AngariumProperties;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Tells ahead-of-time processing what Angarium reads and creates by name: its scripts, proxies of
 * JDBC, and properties that no bean stands for.
 */
final class AngariumRuntimeHints implements RuntimeHintsRegistrar {
  /** Every script of every database and feature, wherever it lies below. */
  private static final String SCRIPTS = "angarium/**";

  private static final String DUBBO_CLASSES = "security/serialize.allowlist";

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints.resources().registerPattern(SCRIPTS).registerPattern(DUBBO_CLASSES);
    for (Class<?> watched :
        List.of(
            Connection.class,
            Statement.class,
            PreparedStatement.class,
            ResultSet.class,
            DatabaseMetaData.class)) {
      hints.proxies().registerJdkProxy(watched);
    }
    hints
        .reflection()
        .registerTypeIfPresent(
            classLoader,
            "io.angarium.kafka.SslContextEngines",
            MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    BindableRuntimeHintsRegistrar.forTypes(
            AngariumProperties.class, SpringKafka.class, SpringRabbit.class, SpringRedis.class)
        .registerHints(hints);
  }
}
