package io.angarium.dubbo;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves half messages over Dubbo, see {@link HalfMessageService}. Asks nobody who they are by
 * itself: see {@link #forCallers}. What the database says stays in the log. Thread-safe.
 */
public final class HalfMessagesOverDubbo implements HalfMessageService {
  private static final Logger LOG = LoggerFactory.getLogger(HalfMessagesOverDubbo.class);

  private final Supplier<? extends HalfMessages> callers;
  private final AtomicBoolean failing = new AtomicBoolean();

  /**
   * Creates a service for every caller that reaches it.
   *
   * @param half serves the calls; called on Dubbo's threads
   */
  public HalfMessagesOverDubbo(HalfMessages half) {
    this(() -> half);
  }

  private HalfMessagesOverDubbo(Supplier<? extends HalfMessages> callers) {
    this.callers = callers;
  }

  /**
   * Creates a service that distinguishes its callers.
   *
   * @param callers gives what the caller of the current request may use, by the attachments of
   *     {@code RpcContext}. The service asks it once for each request, before it reads the request,
   *     on Dubbo's threads. It may block. It may throw {@link HalfServiceException} or {@link
   *     NotPermittedException}, and so may what it gives
   */
  public static HalfMessagesOverDubbo forCallers(Supplier<? extends HalfMessages> callers) {
    return new HalfMessagesOverDubbo(callers);
  }

  @Override
  public Map<String, Object> callAll(@Nullable List<Map<String, Object>> calls) {
    return answered(
        half -> {
          List<HalfAnswer> answers = half.callAll(CallReading.calls(calls));
          return named("answers", answers.stream().map(HalfMessagesOverDubbo::answer).toList());
        });
  }

  private static Map<String, Object> answer(HalfAnswer answer) {
    Map<String, Object> fields = new HashMap<>();
    fields.put("state", answer.state().name());
    if (answer.refusal() != null) {
      fields.put("refusal", answer.refusal().name());
    }
    return fields;
  }

  @Override
  public Map<String, Object> states(@Nullable List<Map<String, Object>> keys) {
    return answered(
        half -> {
          List<HalfKey> all = CallReading.keys(keys);
          Map<HalfKey, HalfState> states = half.states(all);
          return named(
              "states",
              all.stream().map(key -> states.getOrDefault(key, HalfState.UNKNOWN).name()).toList());
        });
  }

  /** Lists and maps that every serialization takes. */
  private static Map<String, Object> named(String name, List<?> values) {
    Map<String, Object> answer = new HashMap<>();
    answer.put(name, new ArrayList<>(values));
    return answer;
  }

  private Map<String, Object> answered(Function<HalfMessages, Map<String, Object>> work) {
    try {
      Map<String, Object> answer = work.apply(callers.get());
      failing.set(false);
      return answer;
    } catch (HalfServiceException e) {
      return problem(e.code(), String.valueOf(e.getMessage()), e.calls());
    } catch (InvalidMessageException e) {
      return problem(INVALID, String.valueOf(e.getMessage()), List.of());
    } catch (NotPermittedException e) {
      return problem(NOT_PERMITTED, String.valueOf(e.getMessage()), List.of());
    } catch (StoreException e) {
      note(e);
      return problem(
          STORE_FAILED,
          "the database of the half messages cannot be reached or refuses",
          List.of());
    } catch (RuntimeException e) {
      LOG.error("A request for half messages over Dubbo failed in a way nobody expected", e);
      return problem(FAILED, "it failed; the log of the server says why", List.of());
    }
  }

  private static Map<String, Object> problem(String code, String detail, List<Integer> calls) {
    Map<String, Object> problem = named("calls", calls);
    problem.put("code", code);
    problem.put("detail", detail);
    return problem;
  }

  /** Once per outage. */
  private void note(StoreException e) {
    if (failing.compareAndSet(false, true)) {
      LOG.warn(
          "Half messages cannot be served over Dubbo now; callers are told to repeat their calls",
          e);
    } else {
      LOG.debug("Half messages cannot be served over Dubbo now", e);
    }
  }
}
