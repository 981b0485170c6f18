package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;

/**
 * One transport under test and its broker, given to the contract suites by its implementer. Each
 * test gets a fixture of its own, with a transport just opened and a broker that is there; the
 * broker itself may serve all tests. The suites close it after the test.
 */
public interface TransportFixture extends AutoCloseable {
  /** The transport under test; the same at every call. */
  Transport transport();

  /**
   * The transport as it is on a host with other clocks; the fixture closes it.
   *
   * @return {@link #transport()}, as the default says, if it never asks what time of day it is
   */
  default Transport transport(TimeSource host) {
    return transport();
  }

  /**
   * A destination that exists, holds nothing, and takes messages up to {@link
   * io.angarium.MessageLimits#DEFAULTS}; another one at every call.
   */
  Destination freshDestination();

  /** A destination that the broker does not have and nobody creates. */
  Destination unknownDestination();

  /**
   * A message without a key that the broker refuses for its size, and only for that.
   *
   * @param destination one of {@link #freshDestination}
   */
  Message tooLarge(Destination destination);

  /**
   * Everything the broker stored for a destination so far, repeats included; messages of one key in
   * the order in which consumers get them. Asked only while the broker is available.
   *
   * @param destination one of {@link #freshDestination}
   */
  List<BrokerMessage> stored(Destination destination);

  /**
   * Cuts the transport off from its broker, connections that are open included, until {@link
   * #makeAvailable}. The broker keeps what it stored.
   */
  void makeUnavailable();

  /** Lets the transport reach its broker again; does nothing if it can. */
  void makeAvailable();

  /**
   * What a busy machine may add to the times that a transport states about itself, before a suite
   * gives up on it.
   */
  default Duration patience() {
    return Duration.ofSeconds(30);
  }

  /** Closes the transport, makes the broker available, and frees what the fixture holds. */
  @Override
  void close();
}
