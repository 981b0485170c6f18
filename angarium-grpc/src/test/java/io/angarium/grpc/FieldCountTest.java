package io.angarium.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.angarium.Message;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldCountTest {
  private static byte[] calls(int count, HalfWire.Call call) {
    HalfWire.CallAllRequest.Builder request = HalfWire.CallAllRequest.newBuilder();
    for (int i = 0; i < count; i++) {
      request.addCalls(call);
    }
    return request.build().toByteArray();
  }

  private static InputStream limited(byte[] request) throws Exception {
    return FieldCount.limited(
        HalfMessagesGrpc.getCallAllMethod(), new ByteArrayInputStream(request));
  }

  @Test
  void emptyCallsByTheThousandAreRefused() {
    byte[] empty = calls(100_000, HalfWire.Call.getDefaultInstance());

    assertThatThrownBy(() -> limited(empty))
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessageContaining("fields");
  }

  @Test
  void asManyCallsAsMayBeMadeComeThrough() throws Exception {
    HalfKey key = new HalfKey("b", "1");
    for (HalfCall shortest :
        List.of(
            new HalfCall.Commit(key, WhenUnknown.REFUSE),
            new HalfCall.Rollback(key, WhenUnknown.REFUSE),
            new HalfCall.Prepare(HalfMessage.of(key, Message.of("log:a", ""))))) {
      byte[] most = calls(10_000, CallEncoding.call(shortest));

      assertThat(limited(most).readAllBytes()).isEqualTo(most);
    }
  }

  /** What a group holds becomes objects, too, also in place of a field that is known. */
  @ParameterizedTest
  @ValueSource(ints = {HalfWire.CallAllRequest.CALLS_FIELD_NUMBER, 1_000})
  void groupsAreRefused(int field) {
    byte[] group =
        UnknownFieldSet.newBuilder()
            .addField(
                field,
                UnknownFieldSet.Field.newBuilder()
                    .addGroup(UnknownFieldSet.getDefaultInstance())
                    .build())
            .build()
            .toByteArray();

    assertThatThrownBy(() -> limited(group))
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessageContaining("group");
  }
}
