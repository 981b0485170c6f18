package io.angarium.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

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
    HalfWire.Decision shortest =
        HalfWire.Decision.newBuilder()
            .setKey(HalfWire.Key.newBuilder().setBusiness("b").setKey("12345"))
            .build();
    byte[] most = calls(10_000, HalfWire.Call.newBuilder().setCommit(shortest).build());

    assertThat(limited(most).readAllBytes()).isEqualTo(most);
  }
}
