package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.alert.AlertChannel;
import io.angarium.alert.AlertRoute;
import io.angarium.alert.RuleSettings;
import io.angarium.alert.StandardRules;
import io.angarium.desk.Overview;
import io.angarium.http.alert.HttpAlertChannel;
import io.angarium.http.alert.HttpAlertConfig;
import io.angarium.spring.settings.AlertProperties;
import io.angarium.spring.settings.AlertProperties.ChannelType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Alerts as their properties describe them. */
public final class AlertMapping {
  private AlertMapping() {}

  /** What is wrong with a channel that is posted to, by names below {@code angarium}. */
  public static List<String> faults(String name, AlertProperties.Channel given) {
    try {
      channel(name, given);
      return List.of();
    } catch (ConfigurationException e) {
      return e.faults();
    }
  }

  /** How rules are used. */
  public static Map<String, RuleSettings> settings(AlertProperties given) {
    Map<String, RuleSettings> settings = new LinkedHashMap<>();
    given.rules().forEach((name, rule) -> settings.put(name, settings(rule)));
    return settings;
  }

  /** Where counts end that rules look at: no earlier than the largest threshold. */
  public static int countMax(AlertProperties given) {
    double largest =
        given.rules().values().stream()
            .map(AlertProperties.Rule::threshold)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(0);
    return (int)
        Math.min(Overview.COUNT_MAX, Math.max(StandardRules.COUNT_MAX, Math.ceil(largest)));
  }

  private static RuleSettings settings(AlertProperties.Rule rule) {
    Duration repeat = rule.repeat();
    return new RuleSettings(
        rule.enabled(),
        rule.threshold(),
        rule.hold(),
        rule.severity(),
        repeat == null ? RuleSettings.DEFAULTS.repeat() : repeat);
  }

  /** What a channel is told. */
  public static AlertRoute route(AlertChannel channel, AlertProperties.Channel given) {
    return new AlertRoute(channel, given.severityMin(), given.rules());
  }

  /**
   * A channel that is posted to.
   *
   * @throws ConfigurationException naming every fault
   */
  public static AlertChannel channel(String name, AlertProperties.Channel given) {
    String prefix = "alerts.channels." + name;
    ConfigFaults faults = new ConfigFaults();
    ChannelType type = given.type();
    String url = given.url();
    faults.require(
        type != null,
        prefix + ".type",
        type,
        "webhook, slack, dingtalk, feishu, wecom, alertmanager or mail");
    faults.require(url != null, prefix + ".url", url, "an address to post to");
    faults.throwIfAny();
    return new HttpAlertChannel(
        new HttpAlertConfig(
            name,
            kind(Objects.requireNonNull(type)),
            Objects.requireNonNull(url),
            given.secret(),
            given.plainHttp(),
            given.direct(),
            HttpAlertConfig.Timing.DEFAULTS));
  }

  private static HttpAlertConfig.Kind kind(ChannelType type) {
    return switch (type) {
      case WEBHOOK -> HttpAlertConfig.Kind.WEBHOOK;
      case SLACK -> HttpAlertConfig.Kind.SLACK;
      case DINGTALK -> HttpAlertConfig.Kind.DINGTALK;
      case FEISHU -> HttpAlertConfig.Kind.FEISHU;
      case WECOM -> HttpAlertConfig.Kind.WECOM;
      case ALERTMANAGER -> HttpAlertConfig.Kind.ALERTMANAGER;
      case MAIL -> throw new IllegalArgumentException("mail is not posted");
    };
  }
}
