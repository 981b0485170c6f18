package io.angarium.half.internal.remote;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a producer is asked over Dubbo. Either where it is, {@code dubbo://host:port} or {@code
 * tri://host:port}, or a registry that knows it, {@code zookeeper://a:2181,b:2181} or {@code
 * nacos://host:8848}; and the service there, {@code ?version=1.0.0&group=shop}. Immutable.
 *
 * @param scheme in lower case
 * @param places {@code host:port}, in lower case; one unless it is a registry
 * @param version of the service; empty for none
 * @param group of the service; empty for none
 */
public record DubboAddress(String scheme, List<String> places, String version, String group) {
  /** What is expected, in words. */
  public static final String FORM =
      "dubbo://host:port, tri://host:port or zookeeper://host:port,host:port, behind it at most ?version=…&group=…";

  private static final Map<String, Integer> DIRECT = Map.of("dubbo", 20880, "tri", 50051);
  private static final Map<String, Integer> REGISTRIES = Map.of("zookeeper", 2181, "nacos", 8848);
  private static final Pattern ADDRESS =
      Pattern.compile("([a-z]+)://([^/?#\\s]+)/?(?:\\?([^#\\s]*))?", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLACE =
      Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::([0-9]{1,5}))?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int PORT_MAX = 65_535;
  private static final int PLACES_MAX = 20;

  /** All schemes. */
  public static List<String> schemes() {
    List<String> all = new ArrayList<>(DIRECT.keySet());
    all.addAll(REGISTRIES.keySet());
    return all;
  }

  /** Reads an address; empty if it is none, or has parts besides. */
  public static Optional<DubboAddress> parse(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    Map<String, String> names = new HashMap<>();
    String query = matcher.group(3);
    return (query == null || readNames(query, names))
        ? of(scheme, matcher.group(2), names)
        : Optional.empty();
  }

  /**
   * An address of its parts; empty if one of them is none.
   *
   * @param names version and group, as far as there are any
   */
  static Optional<DubboAddress> of(String scheme, String authority, Map<String, String> names) {
    Integer port = DIRECT.getOrDefault(scheme, REGISTRIES.get(scheme));
    if (port == null) {
      return Optional.empty();
    }
    List<String> places = new ArrayList<>();
    for (String each : authority.toLowerCase(Locale.ROOT).split(",", -1)) {
      Optional<String> place = place(each.strip(), port);
      if (place.isEmpty()) {
        return Optional.empty();
      }
      places.add(place.get());
    }
    String version = names.getOrDefault("version", "");
    String group = names.getOrDefault("group", "");
    boolean tooMany = places.size() > (DIRECT.containsKey(scheme) ? 1 : PLACES_MAX);
    return tooMany || !isName(version) || !isName(group)
        ? Optional.empty()
        : Optional.of(new DubboAddress(scheme, List.copyOf(places), version, group));
  }

  private static boolean isName(String text) {
    return text.isEmpty() || NAME.matcher(text).matches();
  }

  private static Optional<String> place(String text, int portDefault) {
    Matcher matcher = PLACE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int port = matcher.group(2) == null ? portDefault : Integer.parseInt(matcher.group(2));
    return port >= 1 && port <= PORT_MAX
        ? Optional.of(matcher.group(1) + ":" + port)
        : Optional.empty();
  }

  /** False if there is anything but version and group, or one of them twice. */
  private static boolean readNames(String query, Map<String, String> names) {
    for (String parameter : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      boolean known = name.equals("version") || name.equals("group");
      if (!known || equals < 0 || names.put(name, parameter.substring(equals + 1)) != null) {
        return false;
      }
    }
    return true;
  }

  /** Whether it names a registry, which is asked where the service is. */
  public boolean isRegistry() {
    return REGISTRIES.containsKey(scheme);
  }

  /** Each place with the scheme. */
  public List<String> origins() {
    return places.stream().map(place -> scheme + "://" + place).toList();
  }

  /** Scheme and places, without the service. */
  public String origin() {
    return scheme + "://" + String.join(",", places);
  }

  /** Returns the address in the form in which a half message names it. */
  public URI uri() {
    return URI.create(toString());
  }

  /** Returns the address in the form that {@link #parse} reads. */
  @Override
  public String toString() {
    String names =
        Arrays.asList(named("version", version), named("group", group)).stream()
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining("&"));
    return names.isEmpty() ? origin() : origin() + "?" + names;
  }

  private static String named(String name, String value) {
    return value.isEmpty() ? "" : name + "=" + value;
  }
}
