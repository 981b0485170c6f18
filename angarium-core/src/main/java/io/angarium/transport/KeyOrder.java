package io.angarium.transport;

/** How a transport keeps the order of one key when an attempt fails. */
public enum KeyOrder {
  /**
   * Many messages of a key may be in flight. The transport promises: if a later one is stored by
   * the broker, every earlier one that was handed over before it is stored too or was Refused.
   */
  PIPELINED,

  /** Only one message of a key is in flight at a time; the relay sees to it. */
  CHAINED
}
