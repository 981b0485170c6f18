package io.angarium.spring.autoconfigure;

import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Names a data source to a person: its address and its user, never a password. */
final class DataSourceText {
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

  /** Parameters and the part before an at sign may hold a password. */
  static String withoutSecrets(String url) {
    return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
  }
}
