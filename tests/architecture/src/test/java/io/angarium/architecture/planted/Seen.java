package io.angarium.architecture.planted;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Has one of everything that belongs to a signature, and things that do not. */
public abstract class Seen<T extends Number> implements Closeable {
  public static final int LIMIT = 5;

  final String notSeen;

  protected Seen(String name) {
    notSeen = name;
  }

  public static <T extends Number> List<Seen<T>> of(Class<T> type) {
    return List.of();
  }

  protected abstract void take(List<? extends T> some, int... numbers) throws IOException;

  void notSeen() {}

  @Override
  public String toString() {
    return notSeen;
  }

  public record Inner(String name) implements Comparable<Inner> {
    @Override
    public int compareTo(Inner other) {
      return name.compareTo(other.name);
    }
  }

  static class Hidden {
    public void notSeenEither() {}
  }

  public enum Kind {
    ONE
  }
}
