package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import com.example.trustmessage.middlewareapi.service.MessageService;
import io.angarium.InvalidMessageException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The three calls of TrustMessage, answered by half messages. The business id is the business, the
 * message key the key; a message goes to {@code forwardTopic} under {@code forwardKey} as UTF-8. Of
 * {@code verifyInfo} only what its protocol needs is read: with HTTP the address of the check-back
 * is {@code trustmessage+http://…}, with Dubbo {@code dubbo://host:port?version=…} or, without a
 * URL, {@code zookeeper://host:port?version=…}.
 *
 * <p>Codes: 200 done, also when repeated; 1000 a field is missing or wrong, named in the message;
 * 1001 no such message; 1002 committed before, also for a prepare, as its message would never be
 * sent; 1003 rolled back before. Where the answer is unknown, as the database is away, an {@link
 * RpcException} without a stack trace asks to repeat the call. One that the half messages throw
 * themselves reaches the caller as it is. Blocks. Thread-safe.
 */
public final class TrustMessageService implements MessageService {
  /** The version under which clients look for the service. */
  public static final String VERSION = "1.0.0";

  private static final Logger LOG = LoggerFactory.getLogger(TrustMessageService.class);

  private final HalfMessages half;
  private final MessageReading reading;
  private final AtomicBoolean failing = new AtomicBoolean();

  /**
   * A service that takes every address of a check-back.
   *
   * @param half what answers
   * @param transport where topics are, e.g. {@code kafka}; producers cannot choose another
   * @throws InvalidMessageException if no transport can have this name
   */
  public TrustMessageService(HalfMessages half, String transport) {
    this(half, transport, List.of());
  }

  /**
   * A service that refuses messages whose producer could not be asked.
   *
   * @param half what answers
   * @param transport where topics are, e.g. {@code kafka}; producers cannot choose another
   * @param checkBacks that ask producers later; empty to take every address
   * @throws InvalidMessageException if no transport can have this name
   */
  public TrustMessageService(
      HalfMessages half, String transport, Collection<? extends CheckBackTransport> checkBacks) {
    this.half = half;
    this.reading = new MessageReading(transport, checkBacks);
  }

  @Override
  public MessageResponse prepareMessage(@Nullable MiddlewareMessage message) {
    return answer(() -> new HalfCall.Prepare(reading.halfMessage(message)));
  }

  @Override
  public MessageResponse commitMessage(@Nullable MiddlewareMessage message) {
    return answer(() -> new HalfCall.Commit(reading.key(message), WhenUnknown.REFUSE));
  }

  @Override
  public MessageResponse rollBackMessage(@Nullable MiddlewareMessage message) {
    return answer(() -> new HalfCall.Rollback(reading.key(message), WhenUnknown.REFUSE));
  }

  private MessageResponse answer(Supplier<HalfCall> read) {
    try {
      HalfCall call = read.get();
      return response(call, made(call));
    } catch (InvalidMessageException e) {
      return ResponseCode.ILLEGAL_PARAM.response(
          "illegal parameter: " + PrintableExcerpt.of(String.valueOf(e.getMessage())));
    }
  }

  private HalfAnswer made(HalfCall call) {
    HalfAnswer answer;
    try {
      answer = half.callAll(List.of(call)).get(0);
    } catch (InvalidMessageException | RpcException e) {
      throw e;
    } catch (RuntimeException e) {
      note(call, e);
      throw failure(call);
    }
    failing.set(false);
    return answer;
  }

  private static MessageResponse response(HalfCall call, HalfAnswer answer) {
    if (answer.refusal() != null) {
      return ResponseCode.of(answer.refusal()).response();
    }
    boolean tooLate = call instanceof HalfCall.Prepare && answer.state() == HalfState.COMMITTED;
    return (tooLate ? ResponseCode.ALREADY_COMMITTED : ResponseCode.SUCCESS).response();
  }

  /** Once per outage. */
  private void note(HalfCall call, RuntimeException e) {
    if (failing.compareAndSet(false, true)) {
      LOG.warn(
          "A call over Dubbo failed, its producer is told to repeat it: {} of {}",
          call.step(),
          call.key(),
          e);
    } else {
      LOG.debug("A call over Dubbo failed: {} of {}", call.step(), call.key(), e);
    }
  }

  /** Says nothing of what is inside here, and costs no stack trace. */
  private static RpcException failure(HalfCall call) {
    RpcException failure =
        new RpcException(
            "Half message %s: whether the call took effect is unknown; repeat it"
                .formatted(call.key()));
    failure.setStackTrace(new StackTraceElement[0]);
    return failure;
  }
}
