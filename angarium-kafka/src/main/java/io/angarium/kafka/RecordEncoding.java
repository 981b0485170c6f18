package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Turns messages into records, see {@link KafkaWireFormat}. */
final class RecordEncoding {
  /** More than the record format adds to key, value and headers, in bytes. */
  private static final int OVERHEAD_BYTES = 96;

  private RecordEncoding() {}

  /**
   * The record of a message.
   *
   * @param time its timestamp
   */
  static ProducerRecord<byte[], byte[]> record(StoredMessage stored, Instant time) {
    Message message = stored.message();
    String key = message.key();
    return new ProducerRecord<>(
        message.destination().address(),
        null,
        time.toEpochMilli(),
        key == null ? null : key.getBytes(UTF_8),
        message.payload(),
        new RecordHeaders(headers(stored))); // made at their size: there is one per message
  }

  private static Header[] headers(StoredMessage stored) {
    Message message = stored.message();
    String type = message.type();
    BusinessKey business = message.business();
    if (type == null && business == null && message.headers().isEmpty()) {
      return new Header[] {header(KafkaWireFormat.ID, stored.id().toString())};
    }
    List<Header> headers = new ArrayList<>();
    headers.add(header(KafkaWireFormat.ID, stored.id().toString()));
    if (type != null) {
      headers.add(header(KafkaWireFormat.TYPE, type));
    }
    if (business != null) {
      headers.add(header(KafkaWireFormat.BUSINESS_TYPE, business.type()));
      headers.add(header(KafkaWireFormat.BUSINESS_KEY, business.key()));
    }
    message.headers().forEach((name, value) -> headers.add(header(name, value)));
    return headers.toArray(Header[]::new);
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(UTF_8));
  }

  /** About what the broker compares with its limits, without compression. For error texts. */
  static long bytes(StoredMessage stored) {
    ProducerRecord<byte[], byte[]> record = record(stored, stored.createdAt());
    long bytes = OVERHEAD_BYTES + (long) record.value().length;
    bytes += record.key() == null ? 0 : record.key().length;
    for (Header header : record.headers()) {
      bytes += header.key().length() + header.value().length;
    }
    return bytes;
  }
}
