package io.angarium.jdbc.internal.sql;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;

/** UUIDs for databases that have no such type: 16 bytes, or their hexadecimal digits. */
public final class BinaryIds {
  private BinaryIds() {}

  public static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  public static UUID uuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  public static String hex(UUID id) {
    return HexFormat.of().formatHex(bytes(id));
  }
}
