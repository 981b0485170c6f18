package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.store.StoredMessage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Turns messages into records, see {@link KafkaWireFormat}. */
final class RecordEncoding {
  /** More than the record format adds to key, value and headers, in bytes. */
  private static final int OVERHEAD_BYTES = 96;

  private RecordEncoding() {}

  static ProducerRecord<byte[], byte[]> record(StoredMessage stored) {
    Message message = stored.message();
    String key = message.key();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            message.destination().address(),
            null,
            key == null ? null : key.getBytes(UTF_8),
            message.payload());
    addHeaders(record.headers(), stored);
    return record;
  }

  private static void addHeaders(Headers headers, StoredMessage stored) {
    Message message = stored.message();
    add(headers, KafkaWireFormat.ID, stored.id().toString());
    String type = message.type();
    if (type != null) {
      add(headers, KafkaWireFormat.TYPE, type);
    }
    BusinessKey business = message.business();
    if (business != null) {
      add(headers, KafkaWireFormat.BUSINESS_TYPE, business.type());
      add(headers, KafkaWireFormat.BUSINESS_KEY, business.key());
    }
    if (!message.headers().isEmpty()) {
      message.headers().forEach((name, value) -> add(headers, name, value));
    }
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(new RecordHeader(name, value.getBytes(UTF_8)));
  }

  /** About what the broker compares with its limits, without compression. For error texts. */
  static long bytes(StoredMessage stored) {
    ProducerRecord<byte[], byte[]> record = record(stored);
    long bytes = OVERHEAD_BYTES + (long) record.value().length;
    bytes += record.key() == null ? 0 : record.key().length;
    for (Header header : record.headers()) {
      bytes += header.key().length() + header.value().length;
    }
    return bytes;
  }
}
