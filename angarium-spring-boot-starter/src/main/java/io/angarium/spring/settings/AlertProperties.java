package io.angarium.spring.settings;

import io.angarium.alert.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code angarium.alerts}. Immutable.
 *
 * @param enabled Whether this application looks for trouble and tells persons.
 * @param system How notices name this system. By default 'spring.application.name', else 'outbox'.
 * @param link Address of the console, for notices. By default they have no link.
 * @param rules How rules are used, by their names. By default as docs/alerts.md says.
 * @param channels Ways to tell persons, by names of yours. By default only the log is told.
 */
public record AlertProperties(
    @DefaultValue("false") boolean enabled,
    @Nullable String system,
    @Nullable String link,
    @DefaultValue Map<String, Rule> rules,
    @DefaultValue Map<String, Channel> channels) {
  /**
   * How a rule is used. Immutable.
   *
   * @param enabled Whether it is asked.
   * @param threshold The number that is too large. By default that of the rule.
   * @param hold How long something must be found until it is told. By default that of the rule.
   * @param severity How much it matters. By default as the rule says.
   * @param repeat Time between reminders of an alert that has not been taken. By default '4h'.
   */
  public record Rule(
      @DefaultValue("true") boolean enabled,
      @Nullable Double threshold,
      @Nullable Duration hold,
      @Nullable Severity severity,
      @Nullable Duration repeat) {}

  /** A kind of channel. */
  public enum ChannelType {
    /** Posts JSON, signed by the Standard Webhooks scheme. */
    WEBHOOK,
    /** Posts what Slack, Mattermost and Rocket.Chat take. */
    SLACK,
    /** A robot of DingTalk. */
    DINGTALK,
    /** A robot of Feishu or Lark. */
    FEISHU,
    /** A robot of WeCom. */
    WECOM,
    /** The Alertmanager of Prometheus. */
    ALERTMANAGER,
    /** A mail, by the application's 'MailSender'. */
    MAIL
  }

  /**
   * A way to tell persons. Immutable.
   *
   * @param type Kind of the channel.
   * @param url Where to post. None for mail.
   * @param secret Signs what is posted. By default nothing is signed.
   * @param severityMin What matters less is not told.
   * @param rules Names of the rules that are told; '*' stands for any characters. By default all.
   * @param plainHttp Whether 'http' is allowed for another machine.
   * @param direct Whether each node tells by itself that its database does not answer.
   * @param to Addresses of a mail.
   * @param from Sender of a mail. By default that of the 'MailSender'.
   */
  public record Channel(
      @Nullable ChannelType type,
      @Nullable String url,
      @Nullable String secret,
      @DefaultValue("info") Severity severityMin,
      @DefaultValue List<String> rules,
      @DefaultValue("false") boolean plainHttp,
      @DefaultValue("false") boolean direct,
      @DefaultValue List<String> to,
      @Nullable String from) {

    /** Everything but what may be secret. */
    @Override
    public String toString() {
      return "Channel[type=" + type + ", severityMin=" + severityMin + ", rules=" + rules + "]";
    }
  }
}
