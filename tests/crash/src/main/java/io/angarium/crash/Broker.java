package io.angarium.crash;

import io.angarium.testservers.TestServer;
import io.angarium.testtopics.Topic;

/** A running broker that services send to. */
interface Broker extends AutoCloseable {
  /** Its process. */
  TestServer server();

  /** Where services connect. */
  String address();

  /**
   * A new topic.
   *
   * @param parts partitions or queues that it has, where the broker knows such
   */
  Topic create(String name, int parts);

  @Override
  default void close() {
    server().close();
  }
}
