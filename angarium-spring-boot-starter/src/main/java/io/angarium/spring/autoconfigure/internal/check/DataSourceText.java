package io.angarium.spring.autoconfigure.internal.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Names a data source to a person: its address and its user, never a password. */
final class DataSourceText {
  private static final String HIDDEN = "…";

  /** Protocols with the slashes behind them, and the rest. */
  private static final Pattern URL_PARTS =
      Pattern.compile("(?is)(jdbc:(?:[^:/?;(=@]*:)*(?://)?)(.*)");

  /** Hosts may be given by keys and values, the password among them. */
  private static final Pattern KEYS = Pattern.compile("[(=]");

  private static final Pattern URL = Pattern.compile("(?i)jdbc:\\S+");

  private DataSourceText() {}

  static String of(DataSource dataSource) {
    if (dataSource instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
      return of(proxy.getTargetDataSource());
    }
    BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(dataSource);
    String url = first(properties, "jdbcUrl", "url", "URL");
    String user = first(properties, "username", "user");
    return (url == null ? dataSource.getClass().getSimpleName() : withoutSecrets(url))
        + (user == null ? "" : ", user '" + user + "'");
  }

  private static @Nullable String first(BeanWrapper properties, String... names) {
    return Stream.of(names)
        .filter(properties::isReadableProperty)
        .map(name -> value(properties, name))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse(null);
  }

  private static String value(BeanWrapper properties, String name) {
    try {
      Object value = properties.getPropertyValue(name);
      return value == null ? "" : value.toString();
    } catch (BeansException e) {
      return "";
    }
  }

  /**
   * Parameters and the part before an at sign may hold a password, which may have any character. If
   * it is not certain where the password ends, nothing but the protocol is shown.
   */
  static String withoutSecrets(String url) {
    Matcher parts = URL_PARTS.matcher(url);
    if (!parts.matches()) {
      return HIDDEN;
    }
    String given = parts.group(2);
    String place = given.replaceFirst("(?s)[?;].*", "");
    boolean certain = given.lastIndexOf('@') < place.length() && !KEYS.matcher(place).find();
    return parts.group(1) + (certain ? place.substring(place.lastIndexOf('@') + 1) : HIDDEN);
  }

  /** The same for every address in a text. */
  static String withoutSecretsIn(String text) {
    return URL.matcher(text)
        .replaceAll(url -> Matcher.quoteReplacement(withoutSecrets(url.group())));
  }
}
