package io.angarium.http;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfStep;
import io.angarium.half.remote.CallGroups;

/**
 * A call as it is sent. Immutable.
 *
 * @param json left alone by everybody
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncodedCall(HalfCall call, byte[] json) implements CallGroups.Call {
  @Override
  public HalfKey key() {
    return call.key();
  }

  @Override
  public HalfStep step() {
    return call.step();
  }

  @Override
  public long bytes() {
    return json.length;
  }
}
