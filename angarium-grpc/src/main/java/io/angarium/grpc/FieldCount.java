package io.angarium.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the fields of a request before it becomes objects: an empty one takes two bytes of a
 * request and fifty times as many in memory. Groups are refused, as no message of the services has
 * them. Not thread-safe: one thread at a time.
 */
final class FieldCount {
  /** So many are taken in any case: 10 000 decisions of our own clients have six each. */
  static final int FIELDS = 60_000;

  /** And one for so many bytes. */
  static final int BYTES_EACH = 8;

  /** Each takes two bytes at least. */
  private static final int HARMLESS_BYTES = 2 * FIELDS;

  private final int fieldsMax;
  private int fields;

  private FieldCount(int fieldsMax) {
    this.fieldsMax = fieldsMax;
  }

  /**
   * The same request, which has no more fields than are allowed, or is too short to matter.
   *
   * @throws InvalidProtocolBufferException if it has more, or groups, or is no message
   */
  static InputStream limited(MethodDescriptor<?, ?> method, InputStream request)
      throws InvalidProtocolBufferException {
    try {
      if (request instanceof KnownLength && request.available() <= HARMLESS_BYTES) {
        return request;
      }
      byte[] bytes = request.readAllBytes();
      if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier schema) {
        new FieldCount(FIELDS + bytes.length / BYTES_EACH)
            .count(
                CodedInputStream.newInstance(bytes), schema.getMethodDescriptor().getInputType());
      }
      return new ByteArrayInputStream(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) { // of a stream in memory
      throw Status.INTERNAL.withCause(e).asRuntimeException();
    }
  }

  private void count(CodedInputStream in, Descriptor message) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (++fields > fieldsMax) {
        throw new InvalidProtocolBufferException("more than " + fieldsMax + " fields");
      }
      int wireType = WireFormat.getTagWireType(tag);
      if (wireType == WireFormat.WIRETYPE_START_GROUP
          || wireType == WireFormat.WIRETYPE_END_GROUP) {
        throw new InvalidProtocolBufferException("a group, which no field of the service is");
      }
      @Nullable FieldDescriptor field =
          message.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      if (field != null
          && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int outer = in.pushLimit(in.readRawVarint32());
        count(in, field.getMessageType());
        in.popLimit(outer);
      } else {
        in.skipField(tag);
      }
    }
  }
}
