package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.service.VerifyMessageService;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.util.Map;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer's side of a check-back over Dubbo: answers with what a {@link CheckBack} says. 2 is
 * committed, 3 rolled back, 1 in flight or unknown. Where it cannot be found out now, or nobody
 * answers for the business, the caller gets an {@link RpcException} without a stack trace and asks
 * again. Blocks while the check-back does. Thread-safe.
 */
public final class CheckBackService implements VerifyMessageService {
  static final int PREPARED = 1;
  static final int COMMITTED = 2;
  static final int ROLLED_BACK = 3;

  private static final Logger LOG = LoggerFactory.getLogger(CheckBackService.class);

  private final Map<String, CheckBack> byBusiness;

  /**
   * Creates one.
   *
   * @param byBusiness who answers for which business id, an integer as text, e.g. {@code 1}
   */
  public CheckBackService(Map<String, CheckBack> byBusiness) {
    this.byBusiness = Map.copyOf(byBusiness);
  }

  @Override
  public int verifyMessage(@Nullable Integer bizID, @Nullable String messageKey) {
    HalfKey key;
    try {
      key = new HalfKey(String.valueOf(bizID), messageKey == null ? "" : messageKey);
    } catch (IllegalArgumentException e) {
      throw failure(String.valueOf(e.getMessage()));
    }
    return switch (verdict(key)) {
      case COMMITTED -> COMMITTED;
      case ROLLED_BACK -> ROLLED_BACK;
      case IN_FLIGHT, UNKNOWN -> PREPARED;
      case UNREACHABLE -> throw failure("it cannot be found out now");
    };
  }

  private Verdict verdict(HalfKey key) {
    CheckBack checkBack = byBusiness.get(key.business());
    if (checkBack == null) {
      throw failure("nobody here answers for business '" + key.business() + "'");
    }
    try {
      return checkBack.check(key);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("The check-back of {} over Dubbo failed; it is asked again", key, e);
    }
    return Verdict.UNREACHABLE;
  }

  private static RpcException failure(String reason) {
    RpcException failure = new RpcException("check-back: " + PrintableExcerpt.of(reason));
    failure.setStackTrace(new StackTraceElement[0]);
    return failure;
  }
}
