package io.angarium.console.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.angarium.console.internal.problem.Problem;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into records whose components are {@code String}, {@code Integer}, {@code Boolean},
 * records, or lists of strings or records. A field that the record does not have is a fault, so
 * that a misspelt filter does not mean everything; a field that is missing becomes null.
 * Thread-safe.
 */
public final class RequestJson {
  private static final String EXPECTED = " (expected: ";

  private final JsonFactory factory =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /**
   * Reads the body of a request.
   *
   * @throws Problem if it is no such object
   */
  public <T extends Record> T read(byte[] body, Class<T> type) {
    try (JsonParser from = factory.createParser(body)) {
      if (from.nextToken() != JsonToken.START_OBJECT) {
        throw Problem.invalid("body: no JSON object" + EXPECTED + fields(type) + ")");
      }
      T read = record(from, type, "");
      if (from.nextToken() != null) {
        throw Problem.invalid("body: more than one JSON object (expected: one)");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw Problem.invalid("body: no JSON that can be read: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Problem.invalid("body: cannot be read (expected: JSON as UTF-8)");
    }
  }

  private static String fields(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.joining(", "));
  }

  private <T extends Record> T record(JsonParser from, Class<T> type, String path)
      throws IOException {
    Map<String, RecordComponent> known = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      known.put(component.getName(), component);
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    while (from.nextToken() == JsonToken.FIELD_NAME) {
      String name = from.currentName();
      RecordComponent component = known.get(name);
      if (component == null) {
        throw Problem.invalid(
            "unknown field '" + path + shown(name) + "'" + EXPECTED + fields(type) + ")");
      }
      from.nextToken();
      values.put(name, value(from, component.getGenericType(), path + name));
    }
    return create(type, known.values().stream().map(c -> values.get(c.getName())).toArray());
  }

  private static String shown(String name) {
    return name.length() <= 100 ? name : name.substring(0, 100) + "…";
  }

  private @Nullable Object value(JsonParser from, Type type, String path) throws IOException {
    JsonToken token = from.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (type instanceof ParameterizedType list) {
      return list(from, list.getActualTypeArguments()[0], path);
    }
    if (type == String.class && token == JsonToken.VALUE_STRING) {
      return from.getText();
    }
    if (type == Integer.class && token == JsonToken.VALUE_NUMBER_INT) {
      return intValue(from, path);
    }
    if (type == Boolean.class && token.isBoolean()) {
      return from.getBooleanValue();
    }
    if (type instanceof Class<?> wanted && wanted.isRecord() && token == JsonToken.START_OBJECT) {
      return record(from, wanted.asSubclass(Record.class), path + ".");
    }
    throw Problem.invalid(path + ": another type" + EXPECTED + name(type) + ")");
  }

  private static Integer intValue(JsonParser from, String path) throws IOException {
    if (from.getNumberType() != JsonParser.NumberType.INT) {
      throw Problem.invalid(path + ": too large (expected: a whole number below 2147483648)");
    }
    return from.getIntValue();
  }

  private static String name(Type type) {
    if (type == String.class) {
      return "a text";
    }
    if (type == Integer.class) {
      return "a whole number";
    }
    return type == Boolean.class ? "true or false" : "an object";
  }

  private List<Object> list(JsonParser from, Type element, String path) throws IOException {
    if (from.currentToken() != JsonToken.START_ARRAY) {
      throw Problem.invalid(path + ": no list (expected: a list)");
    }
    List<Object> items = new ArrayList<>();
    while (from.nextToken() != JsonToken.END_ARRAY) {
      Object item = value(from, element, path);
      if (item == null) {
        throw Problem.invalid(path + ": null in the list (expected: values)");
      }
      items.add(item);
    }
    return items;
  }

  private static <T extends Record> T create(Class<T> type, @Nullable Object[] values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw Problem.invalid(cause == null ? "body: refused" : String.valueOf(cause.getMessage()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("creating a " + type.getName(), e);
    }
  }
}
