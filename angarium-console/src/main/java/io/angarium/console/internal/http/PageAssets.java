package io.angarium.console.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The files of the page, packed once. Thread-safe. */
public final class PageAssets {
  private static final String FOLDER = "/angarium/console/";
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)?\\.(js|css|json|svg)");
  private static final Pattern IMPORT =
      Pattern.compile("(?:import|export)[^'\"();]*?from\\s*['\"](\\.{1,2}/[^'\"]+)['\"]");
  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript;charset=utf-8",
          "css", "text/css;charset=utf-8",
          "json", "application/json",
          "svg", "image/svg+xml",
          "html", "text/html;charset=utf-8");

  private final Map<String, Asset> kept = new ConcurrentHashMap<>();
  private final String version;

  /**
   * A file as it is sent. Immutable.
   *
   * @param packed by gzip
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared by equals
  public record Asset(String type, byte[] plain, byte[] packed) {}

  /**
   * Creates it.
   *
   * @param version in the addresses of all files but the page itself
   */
  public PageAssets(String version) {
    this.version = version;
  }

  /** The page itself. */
  public Asset index() {
    return kept.computeIfAbsent("index.html", name -> asset(name, page()));
  }

  /** A file; empty if there is none of this name. */
  public Optional<Asset> file(String name) {
    if (!NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    Asset known = kept.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    byte[] plain = read(name);
    return plain == null
        ? Optional.empty()
        : Optional.of(kept.computeIfAbsent(name, any -> asset(any, plain)));
  }

  private byte[] page() {
    byte[] template = read("index.html");
    if (template == null) {
      throw new IllegalStateException("the console's page is missing in its jar");
    }
    StringBuilder preload = new StringBuilder();
    for (String module : modules()) {
      preload
          .append("<link rel=\"modulepreload\" href=\"assets/")
          .append(version)
          .append('/')
          .append(module)
          .append("\">\n");
    }
    return new String(template, UTF_8)
        .replace("{{version}}", version)
        .replace("{{preload}}", preload)
        .getBytes(UTF_8);
  }

  /** What the first module needs, also indirectly, so that all is loaded in one round trip. */
  private static Set<String> modules() {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(Set.of("main.js"));
    while (!open.isEmpty()) {
      String module = open.pop();
      byte[] source = found.add(module) ? read(module) : null;
      if (source != null) {
        Matcher imports = IMPORT.matcher(new String(source, UTF_8));
        while (imports.find()) {
          open.add(resolve(module, imports.group(1)));
        }
      }
    }
    return found;
  }

  private static String resolve(String module, String path) {
    int slash = module.lastIndexOf('/');
    String folder = slash < 0 ? "" : module.substring(0, slash + 1);
    return URI.create("/" + folder).resolve(path).getPath().substring(1);
  }

  private static byte @Nullable [] read(String name) {
    try (InputStream in = PageAssets.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? null : asModule(name, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + name, e);
    }
  }

  /** One library names another as packages do, and the smallest form of one exports nothing. */
  private static byte[] asModule(String name, byte[] plain) {
    return switch (name) {
      case "vendor/hooks.js" ->
          new String(plain, UTF_8).replace("\"preact\"", "\"./preact.js\"").getBytes(UTF_8);
      case "vendor/uplot.js" ->
          (new String(plain, UTF_8) + "\nexport default uPlot;\n").getBytes(UTF_8);
      default -> plain;
    };
  }

  private static Asset asset(String name, byte[] plain) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream to = new GZIPOutputStream(packed)) {
      to.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException("packing " + name, e);
    }
    return new Asset(String.valueOf(type), plain, packed.toByteArray());
  }
}
