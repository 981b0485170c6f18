package io.angarium.benchmarks.namastack;

import io.angarium.benchmarks.arm.WaitingSender;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.nio.charset.StandardCharsets;

/** Sends what the library takes from the outbox. */
final class NoteHandler implements OutboxTypedHandler<Note> {
  private final WaitingSender sender;

  NoteHandler(WaitingSender sender) {
    this.sender = sender;
  }

  @Override
  public void handle(Note payload, OutboxRecordMetadata metadata) {
    sender.send(metadata.getKey(), payload.text().getBytes(StandardCharsets.US_ASCII));
  }
}
