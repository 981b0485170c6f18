package io.angarium.jdbc;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;

/** UUIDs for databases that have no such type: 16 bytes, or their hexadecimal digits. */
final class BinaryIds {
  private BinaryIds() {}

  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  static UUID uuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  static String hex(UUID id) {
    return HexFormat.of().formatHex(bytes(id));
  }
}
