package io.angarium.testservers;

import java.util.Arrays;

/** Where a server comes from, in the order in which the origins are tried. */
public enum Origin {
  /** A server that runs already and was named by an environment variable; it cannot be killed. */
  NAMED,
  /** Binaries installed on this machine, run as a process of the tests' own. */
  INSTALLED,
  /** Binaries or jars from the Maven repository. */
  MAVEN,
  /** A package of the distribution, unpacked into the cache folder without installing it. */
  PACKAGE,
  /** A container, where a container engine runs. */
  CONTAINER;

  static Origin of(String name) {
    return Arrays.stream(values())
        .filter(origin -> origin.name().equalsIgnoreCase(name.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Unknown origin: "
                        + name
                        + " (expected one of: named, installed, maven, package, container)"));
  }
}
