package io.angarium.http.alert;

import io.angarium.alert.Notices;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How notices are written for one kind of receiver. Thread-safe. */
interface AlertForm {
  /**
   * A request that tells notices.
   *
   * @param now time of sending
   */
  HttpRequest.Builder request(Notices notices, Instant now);

  /**
   * Why a receiver that answered with success did not take the notices.
   *
   * @param body beginning of its answer
   * @return empty if it took them
   */
  default Optional<String> refusal(String body) {
    return Optional.empty();
  }

  /** How often a receiver must be told what is on; null for one that persons read. */
  default @Nullable Duration renewal() {
    return null;
  }

  /** The form of a channel. */
  static AlertForm of(HttpAlertConfig config) {
    return switch (config.kind()) {
      case WEBHOOK -> new WebhookAlerts(config);
      case SLACK -> new SlackAlerts(config);
      case DINGTALK -> new DingTalkAlerts(config);
      case FEISHU -> new FeishuAlerts(config);
      case WECOM -> new WeComAlerts(config);
      case ALERTMANAGER -> new AlertmanagerAlerts(config);
    };
  }
}
