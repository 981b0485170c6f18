package io.angarium.console.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON by the names of their components, independently of how the application
 * maps its own objects. Enums become lower case with dashes; a null component stays. Thread-safe.
 */
public final class RecordJson {
  private static final DateTimeFormatter INSTANT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final JsonFactory factory = new JsonFactory();

  /** Writes a record, or a list or map of records and simple values, as UTF-8. */
  public byte[] bytes(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator to = factory.createGenerator(bytes)) {
      write(to, value);
    } catch (IOException e) {
      throw new UncheckedIOException("writing JSON into memory", e);
    }
    return bytes.toByteArray();
  }

  private void write(JsonGenerator to, @Nullable Object value) throws IOException {
    if (value == null) {
      to.writeNull();
    } else if (value instanceof Record record) {
      writeRecord(to, record);
    } else if (value instanceof Map<?, ?> map) {
      writeMap(to, map);
    } else if (value instanceof Collection<?> list) {
      to.writeStartArray();
      for (Object each : list) {
        write(to, each);
      }
      to.writeEndArray();
    } else {
      writeSimple(to, value);
    }
  }

  private static void writeSimple(JsonGenerator to, Object value) throws IOException {
    if (value instanceof String || value instanceof UUID || value instanceof Duration) {
      to.writeString(value.toString());
    } else if (value instanceof Integer number) {
      to.writeNumber(number);
    } else if (value instanceof Long number) {
      to.writeNumber(number);
    } else if (value instanceof Double number) {
      to.writeNumber(number);
    } else if (value instanceof Boolean truth) {
      to.writeBoolean(truth);
    } else if (value instanceof Instant instant) {
      to.writeString(INSTANT.format(instant));
    } else if (value instanceof Enum<?> constant) {
      to.writeString(text(constant));
    } else {
      throw new IllegalArgumentException("no JSON for a " + value.getClass().getName());
    }
  }

  /** The text of a constant in JSON. */
  public static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void writeMap(JsonGenerator to, Map<?, ?> map) throws IOException {
    to.writeStartObject();
    for (Map.Entry<?, ?> each : map.entrySet()) {
      to.writeFieldName(String.valueOf(each.getKey()));
      write(to, each.getValue());
    }
    to.writeEndObject();
  }

  private void writeRecord(JsonGenerator to, Record record) throws IOException {
    to.writeStartObject();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      to.writeFieldName(component.getName());
      write(to, valueOf(record, component));
    }
    to.writeEndObject();
  }

  private static @Nullable Object valueOf(Record record, RecordComponent component) {
    try {
      var accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("reading " + component, e);
    }
  }
}
