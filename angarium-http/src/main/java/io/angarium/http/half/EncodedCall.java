package io.angarium.http.half;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfStep;
import io.angarium.half.internal.remote.GroupCommit;

/**
 * A call as it is sent. Immutable.
 *
 * @param json left alone by everybody
 * @param bytes of a request that it takes: more than it has where a server's limit of tokens is
 *     nearer than that of bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncodedCall(HalfCall call, byte[] json, long bytes) implements GroupCommit.Call {
  /** Fewer names, values and brackets than these are in a call, and around all of them. */
  private static final int TOKENS_WITHOUT_HEADERS = 40;

  private static final int TOKENS_OF_A_BATCH = 10;

  @Override
  public HalfKey key() {
    return call.key();
  }

  @Override
  public HalfStep step() {
    return call.step();
  }

  /**
   * Encodes a call.
   *
   * @param bytesMax of a request
   */
  static EncodedCall of(HalfCall call, int bytesMax) {
    byte[] json = HalfJson.call(call);
    int headers =
        call instanceof HalfCall.Prepare prepare
            ? prepare.message().message().headers().asMap().size()
            : 0;
    long tokens = TOKENS_WITHOUT_HEADERS + 2L * headers;
    long share = tokens * bytesMax / (LimitedParser.TOKENS_MAX - TOKENS_OF_A_BATCH) + 1;
    return new EncodedCall(call, json, Math.max(json.length, share));
  }
}
