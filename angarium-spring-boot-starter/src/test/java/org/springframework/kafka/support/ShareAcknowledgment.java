package org.springframework.kafka.support;

/** As Spring for Apache Kafka has it from version 4 on, which these tests are not run with. */
public interface ShareAcknowledgment {
  /** Done. */
  void acknowledge();

  /** To be delivered again. */
  void release();

  /** Never to be delivered again. */
  void reject();

  /** Not done yet. */
  void renew();
}
