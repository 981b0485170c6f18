package io.angarium.http.half;

import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.internal.remote.GroupCommit;
import io.angarium.half.internal.remote.HalfReply;
import io.angarium.half.internal.remote.StateQueries;
import io.angarium.intake.MessageIntake;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Half messages on a server, over HTTP. Calls that are made at the same time share requests, see
 * {@link HttpHalfConfig.Limits}; a {@link #callAll} that is larger than a request may be is
 * several, one after the other. A message is checked here first, and by the server against its own
 * limits: if a later request fails, for whatever reason, those before took effect, what they did
 * stands, and a {@link io.angarium.StoreException} says so.
 *
 * <p>Besides what {@link HalfMessages} says, every method throws {@link
 * io.angarium.half.NotPermittedException} if the server does not know the API key or does not
 * permit the call. Waits are not interruptible; each has an end. Thread-safe.
 */
public final class HttpHalfMessages implements HalfMessages, AutoCloseable {
  private final MessageIntake intake;
  private final HalfConnection connection;
  private final GroupCommit<EncodedCall> groups;
  private final StateQueries questions;
  private final int bytesMax;

  private HttpHalfMessages(HttpHalfConfig config, MessageIntake intake, @Nullable SSLContext tls) {
    this.intake = intake;
    this.connection = new HalfConnection(config, tls, intake.time());
    this.bytesMax = config.limits().bytes();
    GroupCommit.Limits limits = limits(config.limits());
    this.groups = new GroupCommit<>(this::request, limits);
    this.questions = new StateQueries(this::ask, limits);
  }

  /**
   * Opens a client; connects with the first call.
   *
   * @param intake checks messages and completes them, e.g. with the trace, as for an outbox
   */
  public static HttpHalfMessages open(HttpHalfConfig config, MessageIntake intake) {
    return new HttpHalfMessages(config, intake, null);
  }

  /**
   * Opens a client with certificates of its own.
   *
   * @param tls whom to trust, and who this is
   */
  public static HttpHalfMessages open(HttpHalfConfig config, MessageIntake intake, SSLContext tls) {
    return new HttpHalfMessages(config, intake, tls);
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    return groups.run(calls.stream().map(this::encoded).toList());
  }

  private static GroupCommit.Limits limits(HttpHalfConfig.Limits given) {
    return new GroupCommit.Limits(given.requests(), given.calls(), given.bytes());
  }

  /** By the caller's own thread, so that what is wrong with it fails nobody else. */
  private EncodedCall encoded(HalfCall call) {
    return EncodedCall.of(call.accepted(intake), bytesMax);
  }

  private HalfReply<HalfAnswer> request(List<EncodedCall> calls) {
    return connection.post(
        HalfJson.BATCH,
        HalfJson.batch(calls.stream().map(EncodedCall::json).toList()),
        body -> HalfAnswerReading.answers(body, calls.stream().map(EncodedCall::call).toList()));
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    return questions.ask(keys);
  }

  private HalfReply<HalfState> ask(List<HalfKey> keys) {
    return connection.post(
        HalfJson.STATES, HalfJson.keys(keys), body -> HalfAnswerReading.states(body, keys.size()));
  }

  /** How many callers wait for their turn. */
  int waiting() {
    return groups.waiting();
  }

  /** Frees connections and threads; calls after it fail. May be called twice. */
  @Override
  public void close() {
    connection.close();
  }
}
