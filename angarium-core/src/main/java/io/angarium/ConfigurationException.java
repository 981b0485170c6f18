package io.angarium;

import java.util.List;

/** Thrown at the start when the configuration is wrong; lists every fault at once. Immutable. */
public final class ConfigurationException extends OutboxException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // List.copyOf is serializable
  private final List<String> faults;

  /**
   * Creates an exception from all faults found.
   *
   * @param faults at least one, each naming the key, the value and the expectation
   */
  public ConfigurationException(List<String> faults) {
    super("Wrong configuration:\n  - " + String.join("\n  - ", faults));
    this.faults = List.copyOf(faults);
  }

  /** The faults, each naming the key, the value and the expectation. */
  public List<String> faults() {
    return faults;
  }
}
