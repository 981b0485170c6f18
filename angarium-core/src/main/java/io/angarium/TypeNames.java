package io.angarium;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The logical names of payload classes, as they travel with messages. Only registered classes are
 * written and read, so that a class can be renamed or moved without touching stored messages, and
 * no message can choose a class. Immutable.
 *
 * <pre>{@code
 * TypeNames.builder()
 *     .type("order-paid", OrderPaid.class)
 *     .alias("OrderPaidEvent", OrderPaid.class) // what older producers wrote
 *     .build();
 * }</pre>
 */
public final class TypeNames {
  /** No types: every payload is refused. */
  public static final TypeNames NONE = builder().build();

  private final Map<Class<?>, String> names;
  private final Map<String, Class<?>> classes;

  private TypeNames(Map<Class<?>, String> names, Map<String, Class<?>> classes) {
    this.names = Map.copyOf(names);
    this.classes = Map.copyOf(classes);
  }

  /** Starts with no types. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The name under which objects of a class are written.
   *
   * @param type exactly the class that was registered, not a subclass of it
   * @throws PayloadException if the class is not registered
   */
  public String nameOf(Class<?> type) {
    String name = names.get(type);
    if (name == null) {
      throw new PayloadException(
          "payload class "
              + type.getName()
              + " has no logical type name; register it: TypeNames.builder().type(\"<name>\", "
              + type.getSimpleName()
              + ".class)");
    }
    return name;
  }

  /**
   * The class for a name or an alias.
   *
   * @param name what the message says; null if it says nothing
   * @throws PayloadException if the name is null or not registered
   */
  public Class<?> classOf(@Nullable String name) {
    Class<?> type = name == null ? null : classes.get(name);
    if (type == null) {
      throw new PayloadException(
          "payload type: "
              + (name == null ? "none" : "'" + name + "'")
              + " (expected: one of "
              + new TreeSet<>(classes.keySet())
              + "); register the class it stands for, or an alias if it was renamed");
    }
    return type;
  }

  /** Gathers types and aliases. Not thread-safe: one thread at a time. */
  public static final class Builder {
    private final Map<Class<?>, String> names = new LinkedHashMap<>();
    private final Map<String, Class<?>> classes = new HashMap<>();
    private final ConfigFaults faults = new ConfigFaults();

    private Builder() {}

    /** Registers a class under the name it is written and read by. */
    public Builder type(String name, Class<?> type) {
      String before = names.putIfAbsent(type, name);
      faults.require(
          before == null,
          "type name of " + type.getName(),
          name,
          "one name per class, it has '" + before + "'; use an alias for the other");
      return read(name, type);
    }

    /** Registers another name under which a class is read, but not written. */
    public Builder alias(String name, Class<?> type) {
      return read(name, type);
    }

    private Builder read(String name, Class<?> type) {
      boolean fits = !name.isBlank() && name.length() <= MessageLimits.TYPE_LENGTH_MAX;
      faults.require(
          fits,
          "type name",
          "'" + name + "'",
          "1.." + MessageLimits.TYPE_LENGTH_MAX + " characters");
      Class<?> before = classes.putIfAbsent(name, type);
      faults.require(
          before == null || before == type,
          "type name",
          "'" + name + "' for " + type.getName(),
          "one class per name, it stands for " + before);
      return this;
    }

    /**
     * The finished names.
     *
     * @throws ConfigurationException listing every name or class that was registered twice
     */
    public TypeNames build() {
      for (Class<?> type : classes.values()) {
        faults.require(
            names.containsKey(type),
            "alias of " + type.getName(),
            "no type name",
            "type(\"<name>\", " + type.getSimpleName() + ".class) besides the alias");
      }
      faults.throwIfAny();
      return new TypeNames(names, classes);
    }
  }
}
