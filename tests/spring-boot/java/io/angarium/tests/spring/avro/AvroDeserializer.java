package io.angarium.tests.spring.avro;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads what {@link AvroSerializer} writes, as the schema that the consumer knows. */
public final class AvroDeserializer implements Deserializer<GenericRecord> {
  private static final int PREFIX_BYTES = 5;

  private final RegistryClient registry;
  private final Schema known;

  /** Creates a deserializer that asks the registry at a URL. */
  public AvroDeserializer(String registry, Schema known) {
    this.registry = new RegistryClient(registry);
    this.known = known;
  }

  @Override
  public GenericRecord deserialize(String topic, byte[] data) {
    ByteBuffer prefix = ByteBuffer.wrap(data);
    if (prefix.get() != 0) {
      throw new SerializationException("No zero byte at the beginning");
    }
    Schema written = registry.schema(prefix.getInt());
    try {
      return new GenericDatumReader<GenericRecord>(written, known)
          .read(
              null,
              DecoderFactory.get()
                  .binaryDecoder(data, PREFIX_BYTES, data.length - PREFIX_BYTES, null));
    } catch (IOException e) {
      throw new SerializationException("Record of " + written.getFullName() + " not read", e);
    }
  }
}
