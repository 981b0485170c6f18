package io.angarium.tests.spring.avro;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Writes a zero byte, the id of the schema in four bytes and the record in Avro's binary form, as
 * is usual with registries. It asks the registry once for each topic and schema. Thread-safe.
 */
public final class AvroSerializer implements Serializer<GenericRecord> {
  /** The header that it adds: the full name of the schema. */
  public static final String SCHEMA_HEADER = "avro-schema";

  private final RegistryClient registry;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();

  /** Creates a serializer that asks the registry at a URL. */
  public AvroSerializer(String registry) {
    this.registry = new RegistryClient(registry);
  }

  @Override
  public byte[] serialize(String topic, GenericRecord data) {
    return serialize(topic, new RecordHeaders(), data);
  }

  @Override
  public byte[] serialize(String topic, Headers headers, GenericRecord data) {
    Schema schema = data.getSchema();
    int id =
        ids.computeIfAbsent(topic + schema, unknown -> registry.register(topic + "-value", schema));
    headers.add(SCHEMA_HEADER, schema.getFullName().getBytes(UTF_8));
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream prefix = new DataOutputStream(bytes);
      prefix.writeByte(0);
      prefix.writeInt(id);
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
      new GenericDatumWriter<GenericRecord>(schema).write(data, encoder);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new SerializationException("Record of " + schema.getFullName() + " not written", e);
    }
  }
}
