package io.angarium.http;

import io.angarium.half.HalfCall;

/**
 * A call as it is sent. Immutable.
 *
 * @param json left alone by everybody
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncodedCall(HalfCall call, byte[] json) {}
