package io.angarium;

import io.angarium.internal.UnicodeText;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names of classes that nobody registered: declared on the class, or derived. Thread-safe. */
final class UnregisteredNames {
  /** What a name must look like. */
  static final String FORM = "1.." + MessageLimits.TYPE_LENGTH_MAX + " characters without U+0000";

  private static final Logger LOG = LoggerFactory.getLogger(TypeNames.class);

  private final boolean deriving;
  private final Map<Class<?>, List<String>> names = new ConcurrentHashMap<>();
  private final Map<Class<?>, List<String>> written = new ConcurrentHashMap<>();
  private final Map<String, Class<?>> taken;

  UnregisteredNames(Map<String, Class<?>> registered, boolean deriving) {
    this.deriving = deriving;
    this.taken = new ConcurrentHashMap<>(registered);
  }

  static boolean fits(String name) {
    return !name.isBlank()
        && name.length() <= MessageLimits.TYPE_LENGTH_MAX
        && name.indexOf(0) < 0
        && UnicodeText.brokenAt(name) < 0;
  }

  /**
   * The name under which a class is written, then its further ones.
   *
   * @throws PayloadException if it has none, or another class has one of them
   */
  List<String> of(Class<?> type) {
    List<String> known = written.get(type);
    return known != null ? known : written.computeIfAbsent(type, this::taken);
  }

  private List<String> taken(Class<?> type) {
    List<String> found = names.computeIfAbsent(type, this::find);
    found.forEach(name -> claim(taken, name, type));
    return found;
  }

  /** Whether a class has no name and cannot have a derived one. */
  boolean isNameless(Class<?> type) {
    return !type.isAnnotationPresent(PayloadType.class) && DerivedName.of(type).isEmpty();
  }

  /**
   * The names by which a class is read; empty if it has none. A class that is read may share them
   * with one that is written, as the reader says what it expects.
   */
  List<String> readable(Class<?> type) {
    boolean abstractType = Modifier.isAbstract(type.getModifiers());
    boolean derivable = deriving && !abstractType && DerivedName.of(type).isPresent();
    return derivable || type.isAnnotationPresent(PayloadType.class)
        ? names.computeIfAbsent(type, this::find)
        : List.of();
  }

  private List<String> find(Class<?> type) {
    PayloadType declared = type.getDeclaredAnnotation(PayloadType.class);
    List<String> found = declared != null ? declared(type, declared) : List.of(derived(type));
    if (declared == null) {
      LOG.warn(
          "Objects of {} are sent as type '{}', a name derived from that of the class: renaming the"
              + " class would change what consumers see. Keep the name: put @PayloadType(\"{}\") on"
              + " the class, or register it in TypeNames",
          type.getName(),
          found.get(0),
          found.get(0));
    }
    return found;
  }

  private static List<String> declared(Class<?> type, PayloadType declared) {
    List<String> all = new ArrayList<>(List.of(declared.value()));
    all.addAll(List.of(declared.aliases()));
    for (String name : all) {
      if (!fits(name)) {
        throw new PayloadException(
            "@PayloadType on " + type.getName() + ": '" + name + "' (expected: " + FORM + ")");
      }
    }
    return List.copyOf(all);
  }

  private String derived(Class<?> type) {
    if (!deriving) {
      throw new PayloadException(
          "payload class "
              + type.getName()
              + " has no logical type name; put @PayloadType(\"<name>\") on it, or register it:"
              + " TypeNames.builder().type(\"<name>\", "
              + type.getSimpleName()
              + ".class)");
    }
    return DerivedName.of(type)
        .orElseThrow(
            () ->
                new PayloadException(
                    "payload class "
                        + type.getName()
                        + " has no type name, and none is derived for arrays, collections and maps,"
                        + " classes of the JDK, and anonymous or generated ones; send an object of"
                        + " a class of your own, register a name:"
                        + " TypeNames.builder().type(\"<name>\", <class>), or send bytes or text"
                        + " with Message.of"));
  }

  /**
   * Puts a class under its name.
   *
   * @throws PayloadException if another class is there
   */
  static void claim(Map<String, Class<?>> classes, String name, Class<?> type) {
    Class<?> before = classes.putIfAbsent(name, type);
    if (before != null && before != type) {
      throw new PayloadException(
          "payload type '"
              + name
              + "' stands for "
              + before.getName()
              + " already (expected: another name for "
              + type.getName()
              + "); put @PayloadType(\"<name>\") on it, or register one in TypeNames");
    }
  }
}
