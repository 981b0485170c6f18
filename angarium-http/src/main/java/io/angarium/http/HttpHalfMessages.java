package io.angarium.http;

import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.http.HalfReply.Answers;
import io.angarium.http.HalfReply.Failure;
import io.angarium.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Half messages on a server, over HTTP. Calls that are made at the same time share requests, see
 * {@link HttpHalfConfig.Limits}; a {@link #callAll} that is larger than a request may be is
 * several, one after the other. A message is checked here first, and by the server against its own
 * limits: if the server refuses one of a later request, those before took effect, and what they did
 * stands.
 *
 * <p>Besides what {@link HalfMessages} says, every method throws {@link
 * io.angarium.half.NotPermittedException} if the server does not know the API key or does not
 * permit the call. Waits are not interruptible; each has an end. Thread-safe.
 */
public final class HttpHalfMessages implements HalfMessages, AutoCloseable {
  private final HttpHalfConfig config;
  private final MessageIntake intake;
  private final HalfConnection connection;
  private final CallGroups groups;
  private final Semaphore questions;

  private HttpHalfMessages(HttpHalfConfig config, MessageIntake intake, @Nullable SSLContext tls) {
    this.config = config;
    this.intake = intake;
    this.connection = new HalfConnection(config, tls);
    this.groups = new CallGroups(this::request, config.limits());
    this.questions = new Semaphore(config.limits().requests());
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
    List<EncodedCall> encoded = calls.stream().map(this::encoded).toList();
    List<HalfAnswer> answers = new ArrayList<>(calls.size());
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < encoded.size(); i++) {
      long length = encoded.get(i).json().length;
      boolean full =
          i - start >= config.limits().calls() || bytes + length > config.limits().bytes();
      if (i > start && full) {
        answers.addAll(groups.run(encoded.subList(start, i)));
        start = i;
        bytes = 0;
      }
      bytes += length;
    }
    if (start < encoded.size()) {
      answers.addAll(groups.run(encoded.subList(start, encoded.size())));
    }
    return answers;
  }

  /** By the caller's own thread, so that what is wrong with it fails nobody else. */
  private EncodedCall encoded(HalfCall call) {
    HalfCall accepted = accepted(call);
    return new EncodedCall(accepted, HalfJson.call(accepted));
  }

  private HalfCall accepted(HalfCall call) {
    if (call instanceof HalfCall.Prepare prepare) {
      HalfMessage half = prepare.message();
      Message message = intake.accept(half.message(), Handover.NONE).message();
      return new HalfCall.Prepare(
          new HalfMessage(half.key(), message, half.delay(), half.checkBack()));
    }
    return call;
  }

  private HalfReply<HalfAnswer> request(List<EncodedCall> calls) {
    return connection.post(
        HalfJson.BATCH,
        HalfJson.batch(calls.stream().map(EncodedCall::json).toList()),
        body -> HalfAnswerReading.answers(body, calls.stream().map(EncodedCall::call).toList()));
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    List<HalfKey> asked = List.copyOf(new HashSet<>(keys));
    Map<HalfKey, HalfState> states = new HashMap<>();
    for (int start = 0; start < asked.size(); start += config.limits().calls()) {
      List<HalfKey> some =
          asked.subList(start, Math.min(start + config.limits().calls(), asked.size()));
      List<HalfState> answered = ask(some);
      for (int i = 0; i < some.size(); i++) {
        states.put(some.get(i), answered.get(i));
      }
    }
    return states;
  }

  private List<HalfState> ask(List<HalfKey> keys) {
    questions.acquireUninterruptibly();
    try {
      HalfReply<HalfState> reply =
          connection.post(
              HalfJson.STATES,
              HalfJson.keys(keys),
              body -> HalfAnswerReading.states(body, keys.size()));
      if (reply instanceof Answers<HalfState> answers) {
        return answers.all();
      }
      if (reply instanceof Failure<HalfState> failure) {
        throw failure.exception();
      }
      throw new StoreException("no reply", null); // there is no third kind
    } finally {
      questions.release();
    }
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
