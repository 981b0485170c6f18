package io.angarium.console.internal.http;

import io.angarium.console.access.Right;
import io.angarium.console.internal.json.RecordJson;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Describes routes as OpenAPI 3.1, by the records that they read and write. */
public final class ApiDescription {
  private static final RecordJson JSON = new RecordJson();
  private static final String SCHEMAS = "#/components/schemas/";
  private static final Map<String, Object> PROBLEM =
      Map.of(
          "description",
          "A problem, RFC 9457",
          "content",
          Map.of("application/problem+json", Map.of()));

  private final Map<String, Object> schemas = new TreeMap<>();

  private ApiDescription() {}

  /** The description as JSON. */
  public static byte[] of(List<ApiRoute> routes, String version) {
    return new ApiDescription().describe(routes, version);
  }

  private byte[] describe(List<ApiRoute> routes, String version) {
    Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
    for (ApiRoute route : routes) {
      paths
          .computeIfAbsent("/" + route.path(), path -> new LinkedHashMap<>())
          .put(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    Map<String, Object> whole = new LinkedHashMap<>();
    whole.put("openapi", "3.1.0");
    whole.put("info", Map.of("title", "Angarium operator API", "version", version));
    whole.put("servers", List.of(Map.of("url", "."))); // beside this description
    whole.put("paths", paths);
    whole.put("components", Map.of("schemas", schemas));
    return JSON.bytes(whole);
  }

  private Map<String, Object> operation(ApiRoute route) {
    Right right = route.right();
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", route.summary());
    operation.put(
        "description",
        right == null
            ? "Nobody needs to be signed in."
            : "Needs the right '" + RecordJson.text(right) + "'.");
    operation.put("parameters", parameters(route));
    if (route.request() != null) {
      operation.put("requestBody", Map.of("required", true, "content", json(route.request())));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    if (route.answer() == null) {
      responses.put("2XX", Map.of("description", "Done"));
    } else {
      responses.put("200", Map.of("description", "The answer", "content", json(route.answer())));
    }
    responses.put("default", PROBLEM);
    operation.put("responses", responses);
    return operation;
  }

  private static List<Object> parameters(ApiRoute route) {
    List<Object> parameters = new ArrayList<>();
    for (String part : route.path().split("/", -1)) {
      if (part.startsWith("{")) {
        parameters.add(parameter("path", part.substring(1, part.length() - 1), true));
      }
    }
    route.parameters().forEach(name -> parameters.add(parameter("query", name, false)));
    if (route.acts()) {
      parameters.add(parameter("header", BrowserRules.OWN_HEADER, true));
    }
    return parameters;
  }

  private static Map<String, Object> parameter(String in, String name, boolean required) {
    Map<String, Object> parameter = new LinkedHashMap<>();
    parameter.put("name", name);
    parameter.put("in", in);
    parameter.put("required", required);
    parameter.put("schema", Map.of("type", "string"));
    return parameter;
  }

  private Map<String, Object> json(Class<?> type) {
    return Map.of("application/json", Map.of("schema", schema(type)));
  }

  private Map<String, Object> schema(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return arguments.length == 1
          ? Map.of("type", "array", "items", schema(arguments[0]))
          : Map.of("type", "object", "additionalProperties", schema(arguments[1]));
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      return Map.of("$ref", SCHEMAS + named(plain));
    }
    if (plain.isEnum()) {
      return Map.of(
          "type",
          "string",
          "enum",
          Arrays.stream(plain.getEnumConstants())
              .map(each -> RecordJson.text((Enum<?>) each))
              .toList());
    }
    return simple(plain);
  }

  private static Map<String, Object> simple(Class<?> type) {
    if (type == boolean.class || type == Boolean.class) {
      return Map.of("type", "boolean");
    }
    if (type == double.class || type == Double.class) {
      return Map.of("type", "number");
    }
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      return Map.of("type", "integer");
    }
    String format = format(type);
    return format == null ? Map.of("type", "string") : Map.of("type", "string", "format", format);
  }

  private static @Nullable String format(Class<?> type) {
    if (type == Instant.class) {
      return "date-time";
    }
    if (type == Duration.class) {
      return "duration";
    }
    return type == UUID.class ? "uuid" : null;
  }

  /** Names a record by itself and the class around it, as two calls may have one of a name. */
  private String named(Class<?> type) {
    Class<?> around = type.getEnclosingClass();
    String name =
        (around == null ? "" : around.getSimpleName().replaceAll("Calls$|Json$", ""))
            + type.getSimpleName();
    if (!schemas.containsKey(name)) {
      schemas.put(name, Map.of()); // a record may hold itself
      Map<String, Object> properties = new LinkedHashMap<>();
      for (RecordComponent component : type.getRecordComponents()) {
        properties.put(component.getName(), schema(component.getGenericType()));
      }
      schemas.put(name, Map.of("type", "object", "properties", properties));
    }
    return name;
  }
}
