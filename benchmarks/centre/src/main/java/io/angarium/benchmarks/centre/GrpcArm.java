package io.angarium.benchmarks.centre;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.ServerChild;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** The message centre over gRPC. */
public final class GrpcArm {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Pattern PORT = Pattern.compile("over gRPC at \\S+:(\\d+)");

  private GrpcArm() {}

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(GrpcArm::open);
  }

  static Arm open(ArmSettings settings) throws IOException {
    ServerChild server =
        Centre.start(
            settings,
            List.of("--angarium.server.grpc.enabled=true", "--angarium.server.grpc.port=0"));
    ManagedChannel connection =
        Grpc.newChannelBuilder(
                "dns:///127.0.0.1:" + server.said(PORT), InsecureChannelCredentials.create())
            .build();
    return new CentreArm(
        settings,
        new GrpcHalfMessages(withKey(connection), GrpcHalfConfig.DEFAULTS),
        () -> {
          connection.shutdownNow();
          server.close();
        });
  }

  private static Channel withKey(Channel connection) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + Centre.KEY);
    return ClientInterceptors.intercept(
        connection, MetadataUtils.newAttachHeadersInterceptor(headers));
  }
}
