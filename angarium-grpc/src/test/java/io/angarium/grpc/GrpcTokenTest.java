package io.angarium.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.half.TokenSource;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client shows to its server. */
class GrpcTokenTest {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final GrpcHalfScene scene =
      GrpcHalfScene.create(64, builder -> builder.intercept(new Noting()));

  @AfterEach
  void stop() {
    scene.close();
  }

  private final class Noting implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      shown.add(String.valueOf(headers.get(AUTHORIZATION)));
      if ("Bearer expired".equals(headers.get(AUTHORIZATION))) {
        call.close(Status.UNAUTHENTICATED.withDescription("the token has expired"), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return next.startCall(call, headers);
    }
  }

  private GrpcHalfMessages client(TokenSource token) {
    return scene.client(GrpcHalfScene.PATIENT.token(token));
  }

  @Test
  void tokenIsFetchedForEachRequest() {
    AtomicInteger fetched = new AtomicInteger();
    GrpcHalfMessages half = client(() -> "token" + fetched.incrementAndGet());

    half.prepare(GrpcHalfScene.message("1"));
    half.commit(GrpcHalfScene.key("1"));

    assertThat(half.state(GrpcHalfScene.key("1"))).isEqualTo(HalfState.COMMITTED);
    assertThat(shown).containsExactly("Bearer token1", "Bearer token2", "Bearer token3");
  }

  @Test
  void withoutASourceNothingIsShown() {
    scene.client(GrpcHalfScene.PATIENT).prepare(GrpcHalfScene.message("1"));

    assertThat(shown).containsExactly("null");
  }

  /** Answered at once: not when the time-out has passed, with another reason. */
  @Test
  void sourceThatThrowsAnErrorFailsTheCallAndNothingIsSent() {
    Error missing = new NoClassDefFoundError("com/example/Issuer");
    GrpcHalfMessages half =
        client(
            () -> {
              throw missing;
            });

    assertThatThrownBy(() -> half.prepare(GrpcHalfScene.message("1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no token of its source, so the request was not made")
        .hasMessageContaining("NoClassDefFoundError: com/example/Issuer; repair it")
        .hasRootCause(missing);
    assertThatThrownBy(() -> half.state(GrpcHalfScene.key("1")))
        .isInstanceOf(StoreException.class)
        .hasRootCause(missing);
    assertThat(shown).isEmpty();
  }

  @Test
  void tokenThatIsRefusedIsToldWithWhatToDo() {
    GrpcHalfMessages half = client(() -> "expired");

    assertThatThrownBy(() -> half.prepare(GrpcHalfScene.message("1")))
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("UNAUTHENTICATED: the token has expired; nothing took effect")
        .hasMessageContaining("what its TokenSource gives");
    assertThatThrownBy(() -> half.state(GrpcHalfScene.key("1")))
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("what its TokenSource gives");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "line\nbreak"})
  void sourceWithoutATokenFailsTheCallAndNothingIsSent(String token) {
    GrpcHalfMessages half =
        client(
            () -> {
              if (token.isEmpty()) {
                throw new IllegalArgumentException("the issuer is away");
              }
              return token;
            });
    String reason = token.isEmpty() ? "the issuer is away" : "printable ASCII";

    assertThatThrownBy(() -> half.prepare(GrpcHalfScene.message("1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no token of its source, so the request was not made")
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> half.state(GrpcHalfScene.key("1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(reason);
    assertThat(shown).isEmpty();
  }
}
