package io.angarium.jdbc.internal.sql;

/** Compares version numbers such as {@code 10.11.19-MariaDB} by their leading numbers. */
public final class Versions {
  private Versions() {}

  public static boolean atLeast(String version, String versionMin) {
    String[] given = version.split("[^0-9]+", -1);
    String[] needed = versionMin.split("\\.", -1);
    for (int i = 0; i < needed.length; i++) {
      int part = i < given.length && !given[i].isEmpty() ? Integer.parseInt(given[i]) : 0;
      int min = Integer.parseInt(needed[i]);
      if (part != min) {
        return part > min;
      }
    }
    return true;
  }
}
