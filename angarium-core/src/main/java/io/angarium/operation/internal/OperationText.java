package io.angarium.operation.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.MessageId;
import io.angarium.desk.MessageFilter;
import io.angarium.internal.UnicodeText;
import io.angarium.operation.OperationScope;
import io.angarium.operation.OperationScope.Part;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Filters and scopes as text for a column: fields as in the query of an address, and a line for
 * each part of a scope. Thread-safe.
 */
public final class OperationText {
  private static final Set<String> KNOWN =
      Set.of(
          "destination",
          "id",
          "key",
          "type",
          "businessType",
          "businessKey",
          "createdBy",
          "errorHas",
          "cause",
          "from",
          "to",
          "blocksKey",
          "attemptsMin");

  private OperationText() {}

  /**
   * A filter as text.
   *
   * @throws IllegalArgumentException if a text of it has half a surrogate pair, which no message
   *     can have
   */
  public static String of(MessageFilter filter) {
    Fields fields = new Fields();
    filter.destinations().forEach(each -> fields.add("destination", each));
    filter.ids().forEach(each -> fields.add("id", each));
    fields.add("key", filter.key());
    fields.add("type", filter.type());
    fields.add("businessType", filter.businessType());
    fields.add("businessKey", filter.businessKey());
    fields.add("createdBy", filter.createdBy());
    fields.add("errorHas", filter.errorHas());
    fields.add("cause", filter.cause());
    fields.add("from", filter.from());
    fields.add("to", filter.to());
    fields.add("blocksKey", filter.blocksKey());
    fields.add("attemptsMin", filter.attemptsMin());
    return fields.text();
  }

  /** The filter of a text. */
  public static MessageFilter filter(String text) {
    Map<String, List<String>> fields = fields(text);
    requireKnown(fields.keySet());
    Set<MessageId> ids = new HashSet<>();
    all(fields, "id").forEach(id -> ids.add(new MessageId(UUID.fromString(id))));
    String blocksKey = one(fields, "blocksKey");
    return new MessageFilter(
        all(fields, "destination"),
        one(fields, "key"),
        ids,
        one(fields, "type"),
        one(fields, "businessType"),
        one(fields, "businessKey"),
        one(fields, "createdBy"),
        one(fields, "errorHas"),
        one(fields, "cause"),
        time(one(fields, "from")),
        time(one(fields, "to")),
        blocksKey == null ? null : Boolean.valueOf(blocksKey),
        Integer.parseInt(all(fields, "attemptsMin").get(0)));
  }

  /** What is passed over would let an operation change more than a person wants. */
  private static void requireKnown(Set<String> names) {
    List<String> others = names.stream().filter(name -> !KNOWN.contains(name)).sorted().toList();
    if (!others.isEmpty()) {
      throw new IllegalArgumentException(
          "filter: " + others + " (expected: fields that this version knows)");
    }
  }

  /** A scope as text. */
  public static String of(OperationScope scope) {
    return scope.parts().stream().map(OperationText::of).collect(Collectors.joining("\n"));
  }

  private static String of(Part part) {
    Fields fields = new Fields();
    part.destinations().forEach(each -> fields.add("destination", each));
    part.businesses().forEach(each -> fields.add("business", each));
    return fields.text();
  }

  /** The scope of a text. */
  public static OperationScope scope(String text) {
    return new OperationScope(
        text.lines()
            .map(OperationText::fields)
            .map(fields -> new Part(all(fields, "destination"), all(fields, "business")))
            .toList());
  }

  private static final class Fields {
    private final List<String> fields = new ArrayList<>();

    void add(String name, @Nullable Object value) {
      if (value == null) {
        return;
      }
      String text = value.toString();
      if (UnicodeText.brokenAt(text) >= 0) {
        throw new IllegalArgumentException(name + ": half a surrogate pair (expected: none)");
      }
      fields.add(name + "=" + URLEncoder.encode(text, UTF_8));
    }

    String text() {
      return String.join("&", fields);
    }
  }

  private static Map<String, List<String>> fields(String text) {
    Map<String, List<String>> fields = new HashMap<>();
    for (String field : text.split("&", -1)) {
      int end = field.indexOf('=');
      if (end > 0) {
        fields
            .computeIfAbsent(field.substring(0, end), name -> new ArrayList<>())
            .add(URLDecoder.decode(field.substring(end + 1), UTF_8));
      }
    }
    return fields;
  }

  private static List<String> all(Map<String, List<String>> fields, String name) {
    return fields.getOrDefault(name, List.of());
  }

  private static @Nullable String one(Map<String, List<String>> fields, String name) {
    return all(fields, name).stream().findFirst().orElse(null);
  }

  private static @Nullable Instant time(@Nullable String text) {
    return text == null ? null : Instant.parse(text);
  }
}
