package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.internal.EditDistance;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.ResolvableType;

/**
 * The names of the properties that records are bound to, without the prefix {@code angarium}. An
 * element {@code *} stands for a name that the user chooses. Immutable.
 */
final class PropertyNames {
  static final String ANY = "*";

  private static final Pattern DOT = Pattern.compile("\\.");

  /** More edits make another name, not a slip. */
  private static final int EDITS_MAX = 2;

  /** More names do not help to choose. */
  private static final int NAMES_MAX = 3;

  private final Set<String> names;

  private PropertyNames(Set<String> names) {
    this.names = names;
  }

  /**
   * The names that the components of a record have; none if the type is no record.
   *
   * @param prefix of all of them; empty for none
   */
  static PropertyNames of(String prefix, Class<?> type) {
    Set<String> names = new TreeSet<>();
    if (type.isRecord()) {
      addAll(names, prefix, type);
    }
    return new PropertyNames(names);
  }

  /** These names and others. */
  PropertyNames and(PropertyNames others) {
    Set<String> all = new TreeSet<>(names);
    all.addAll(others.names);
    return new PropertyNames(all);
  }

  private static void addAll(Set<String> names, String prefix, Class<?> type) {
    String start = prefix.isEmpty() ? "" : prefix + ".";
    for (RecordComponent component : type.getRecordComponents()) {
      String name = start + DataObjectPropertyName.toDashedForm(component.getName());
      add(names, name, ResolvableType.forType(component.getGenericType()));
    }
  }

  private static void add(Set<String> names, String name, ResolvableType declared) {
    Class<?> type = declared.toClass();
    if (type.isRecord()) {
      addAll(names, name, type);
    } else if (Map.class.isAssignableFrom(type)) {
      add(names, name + "." + ANY, declared.getGeneric(1));
    } else {
      names.add(name);
      if (Collection.class.isAssignableFrom(type)) {
        add(names, name + "." + ANY, declared.getGeneric(0));
      }
    }
  }

  /** All of them, in alphabetical order. */
  Set<String> all() {
    return names;
  }

  /** Whether a value of that name is bound. */
  boolean contains(String given) {
    List<String> its = elements(given);
    return names.stream().anyMatch(name -> fits(elements(name), its));
  }

  private static boolean fits(List<String> name, List<String> given) {
    boolean open = name.get(name.size() - 1).equals(ANY); // further dots are part of the last one
    if (open ? given.size() < name.size() : given.size() != name.size()) {
      return false;
    }
    for (int i = 0; i < name.size(); i++) {
      if (!name.get(i).equals(ANY) && !name.get(i).equals(given.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the names that an unknown name most likely means. These are the names within a few
   * edits, or else names of another group with the same last element. Empty if none is much like
   * it, or more than three are.
   *
   * @param given with or without dashes and capitals
   */
  List<String> like(String given) {
    List<String> near = near(given, EDITS_MAX);
    List<String> like = near.isEmpty() ? elsewhere(given) : near;
    return like.size() > NAMES_MAX ? List.of() : like;
  }

  /**
   * The names within a few edits.
   *
   * @param editsMax how many at most
   */
  List<String> near(String given, int editsMax) {
    return EditDistance.nearest(
            uniform(given), names, name -> uniform(filled(name, given)), editsMax)
        .stream()
        .map(name -> filled(name, given))
        .toList();
  }

  private List<String> elsewhere(String given) {
    List<String> its = elements(given);
    String last = its.get(its.size() - 1);
    List<String> best = new ArrayList<>();
    int most = 0;
    for (String name : names) {
      List<String> elements = elements(name);
      if (elements.get(elements.size() - 1).equals(last)) {
        Set<String> shared = new HashSet<>(elements);
        shared.retainAll(its);
        if (shared.size() > most) {
          best.clear();
          most = shared.size();
        }
        if (shared.size() == most) {
          best.add(name);
        }
      }
    }
    return best;
  }

  /** A name with the elements of another one in the places that it leaves to the user. */
  private static String filled(String name, String given) {
    if (!name.contains(ANY)) {
      return name;
    }
    List<String> its = DOT.splitAsStream(given).toList();
    List<String> elements = new ArrayList<>(DOT.splitAsStream(name).toList());
    for (int i = 0; i < Math.min(elements.size(), its.size()); i++) {
      if (elements.get(i).equals(ANY)) {
        elements.set(i, its.get(i));
      }
    }
    return String.join(".", elements);
  }

  private static List<String> elements(String name) {
    return DOT.splitAsStream(uniform(name)).toList();
  }

  /** Returns a name in the form that Spring Boot compares; an index becomes an element. */
  static String uniform(String name) {
    return name.replaceAll("[-_\\]]", "").replace('[', '.').toLowerCase(Locale.ROOT);
  }
}
