package io.angarium;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The logical names of payload classes, as they travel with messages. A class can be renamed or
 * moved without touching stored messages, and no message can choose a class. Thread-safe.
 *
 * <pre>{@code
 * TypeNames.builder()
 *     .type("order-paid", OrderPaid.class)
 *     .alias("OrderPaidEvent", OrderPaid.class) // what older producers wrote
 *     .build();
 * }</pre>
 *
 * <p>The name of a class is the registered one, else that of {@link PayloadType} on the class. A
 * class with neither is refused, unless names are {@linkplain #derived() derived}.
 */
public final class TypeNames {
  private final Map<Class<?>, String> registered;
  private final Map<String, Class<?>> classes;
  private final UnregisteredNames others;

  private TypeNames(
      Map<Class<?>, String> registered, Map<String, Class<?>> classes, boolean deriving) {
    this.registered = Map.copyOf(registered);
    this.classes = Map.copyOf(classes);
    this.others = new UnregisteredNames(this.classes, deriving);
  }

  /** Starts with no types. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Names that need no registration: {@link PayloadType} on the class, else the simple name of the
   * class in lower case with dashes, {@code OrderPaid} as {@code order-paid}. A derived name is a
   * WARN once for each class, because renaming the class would change what consumers see. It is
   * refused for arrays, collections and maps, classes of the JDK, and anonymous or generated ones.
   */
  public static TypeNames derived() {
    return builder().deriveOthers().build();
  }

  /**
   * The name under which objects of a class are written.
   *
   * @param type exactly the class that was named, not a subclass of it
   * @throws PayloadException if the class has no name, or another class has the same
   */
  public String nameOf(Class<?> type) {
    String name = registered.get(type);
    return name != null ? name : others.of(type).get(0);
  }

  /**
   * The name under which objects of a class are written; empty if no name was given and none can be
   * derived, as for collections, maps and classes of the JDK.
   *
   * @param type exactly the class that was named, not a subclass of it
   * @throws PayloadException if the class has no name although one could be derived, or another
   *     class has the same
   */
  public Optional<String> findName(Class<?> type) {
    boolean nameless = !registered.containsKey(type) && others.isNameless(type);
    return nameless ? Optional.empty() : Optional.of(nameOf(type));
  }

  /**
   * The registered class for a name or an alias.
   *
   * @param name what the message says; null if it says nothing
   * @throws PayloadException if the name is null or not registered
   */
  public Class<?> classOf(@Nullable String name) {
    Class<?> type = name == null ? null : classes.get(name);
    if (type == null) {
      throw unknown(name, classes.keySet());
    }
    return type;
  }

  /**
   * The class for a name or an alias, if it is one the caller handles: a registered class, {@code
   * expected} itself, or one that a sealed {@code expected} permits.
   *
   * @param name what the message says; null if it says nothing
   * @throws PayloadException if the name is null, unknown, or stands for another class, or if two
   *     classes that {@code expected} permits share a name
   */
  public <T> Class<? extends T> classOf(@Nullable String name, Class<T> expected) {
    Class<?> type = name == null ? null : classes.get(name);
    if (type != null && !expected.isAssignableFrom(type)) {
      throw new PayloadException(
          "payload type: '"
              + name
              + "' is "
              + type.getName()
              + " (expected: "
              + expected.getName()
              + ")");
    }
    if (type == null) {
      Map<String, Class<?>> readable = readable(expected);
      type = name == null ? null : readable.get(name);
      if (type == null) {
        throw unknown(name, readable.keySet());
      }
    }
    return type.asSubclass(expected);
  }

  private Map<String, Class<?>> readable(Class<?> expected) {
    Map<String, Class<?>> readable = new HashMap<>(classes);
    readable.values().removeIf(type -> !expected.isAssignableFrom(type));
    gather(expected, readable);
    return readable;
  }

  private void gather(Class<?> type, Map<String, Class<?>> readable) {
    if (!registered.containsKey(type)) {
      others.readable(type).forEach(name -> UnregisteredNames.claim(readable, name, type));
    }
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        gather(permitted, readable);
      }
    }
  }

  private static PayloadException unknown(@Nullable String name, Set<String> known) {
    return new PayloadException(
        "payload type: "
            + (name == null ? "none" : "'" + name + "'")
            + " (expected: one of "
            + new TreeSet<>(known)
            + "); register the class it stands for, or an alias if it was renamed");
  }

  /** Gathers types and aliases. Not thread-safe: one thread at a time. */
  public static final class Builder {
    private final Map<Class<?>, String> names = new LinkedHashMap<>();
    private final Map<String, Class<?>> classes = new HashMap<>();
    private final ConfigFaults faults = new ConfigFaults();
    private boolean deriving;

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

    /**
     * Registers a class under the names that its {@link PayloadType} declares, so that {@link
     * #classOf(String)} finds it.
     */
    public Builder type(Class<?> type) {
      PayloadType declared = type.getDeclaredAnnotation(PayloadType.class);
      if (declared == null) {
        faults.require(
            false,
            "type name of " + type.getName(),
            "none",
            "@PayloadType on the class, or type(\"<name>\", <class>)");
        return this;
      }
      type(declared.value(), type);
      for (String alias : declared.aliases()) {
        alias(alias, type);
      }
      return this;
    }

    /** Registers another name under which a class is read, but not written. */
    public Builder alias(String name, Class<?> type) {
      return read(name, type);
    }

    /**
     * Lets classes that are neither registered nor annotated have a name derived from that of the
     * class, see {@link #derived()}.
     */
    public Builder deriveOthers() {
      deriving = true;
      return this;
    }

    private Builder read(String name, Class<?> type) {
      faults.require(
          UnregisteredNames.fits(name), "type name", "'" + name + "'", UnregisteredNames.FORM);
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
      return new TypeNames(names, classes, deriving);
    }
  }
}
