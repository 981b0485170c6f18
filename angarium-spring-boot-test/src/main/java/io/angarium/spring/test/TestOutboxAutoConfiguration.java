package io.angarium.spring.test;

import io.angarium.testkit.PublishedMessages;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** What {@link AutoConfigureTestOutbox} adds to the application. */
@AutoConfiguration
public final class TestOutboxAutoConfiguration {
  /** Creates the configuration. */
  public TestOutboxAutoConfiguration() {}

  @Bean
  static RecordedOutboxes angariumRecordedOutboxes() {
    return new RecordedOutboxes();
  }

  @Bean
  PublishedMessages angariumPublishedMessages(RecordedOutboxes outboxes) {
    return outboxes.published();
  }
}
