package io.angarium.spring.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Forgets before each test method what the earlier ones published. Thread-safe. */
final class PublishedMessagesReset implements TestExecutionListener {
  PublishedMessagesReset() {}

  @Override
  public void beforeTestMethod(TestContext context) {
    if (context.hasApplicationContext()) {
      context
          .getApplicationContext()
          .getBeanProvider(RecordedOutboxes.class)
          .ifAvailable(RecordedOutboxes::reset);
    }
  }
}
