package io.angarium.jdbc.internal.session;

import io.angarium.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Druid's filter {@code wall}, which refuses statements that its parser does not know, as it does
 * with some of every database here. Asked for its settings without needing its classes.
 */
public final class DruidWall {
  private static final String POOL = "com.alibaba.druid.pool.DruidAbstractDataSource";
  private static final String FILTER = "com.alibaba.druid.wall.WallFilter";

  /**
   * A setting of the filter.
   *
   * @param name as in properties
   * @param needed what statements here need
   */
  private record Setting(String getter, String name, boolean needed) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("isStrictSyntaxCheck", "strict-syntax-check", false),
          new Setting("isNoneBaseStatementAllow", "none-base-statement-allow", true),
          new Setting("isLimitZeroAllow", "limit-zero-allow", true));

  private DruidWall() {}

  /**
   * Refuses a pool whose filter would refuse statements, as one without settings would.
   *
   * @throws ConfigurationException with the settings that are needed
   */
  public static void requireOpen(DataSource dataSource) {
    Object pool = PoolSize.find(dataSource, POOL);
    if (pool != null && PoolSize.call(pool, "getProxyFilters") instanceof List<?> filters) {
      List<String> faults = new ArrayList<>();
      filters.stream()
          .filter(filter -> PoolSize.isA(filter.getClass(), FILTER))
          .forEach(filter -> addFaults(PoolSize.call(filter, "getConfig"), faults));
      if (!faults.isEmpty()) {
        throw new ConfigurationException(faults);
      }
    }
  }

  private static void addFaults(@Nullable Object config, List<String> faults) {
    for (Setting setting : SETTINGS) {
      Object is = config == null ? null : PoolSize.call(config, setting.getter());
      if (!Boolean.valueOf(setting.needed()).equals(is)) {
        faults.add(
            "Druid's filter wall, %s: %s (expected: %s), else it refuses statements that it cannot read; set spring.datasource.druid.filter.wall.config.%1$s=%3$s, or leave wall out of the filters"
                .formatted(setting.name(), is, setting.needed()));
      }
    }
  }
}
