package io.angarium.server.dubbo;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.dubbo.HalfMessageService;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.server.metrics.ServerMetrics;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.RpcException;

/** Counts what comes in over Dubbo, in the jar that has it. Thread-safe. */
final class DubboMetrics {
  private final ServerMetrics metrics;

  DubboMetrics(ServerMetrics metrics) {
    this.metrics = metrics;
  }

  /** The service over Dubbo, counted. */
  HalfMessageService counted(HalfMessageService service) {
    return new HalfMessageService() {
      @Override
      public Map<String, Object> callAll(List<Map<String, Object>> calls) {
        return answered(service.callAll(calls));
      }

      @Override
      public Map<String, Object> states(List<Map<String, Object>> keys) {
        return answered(service.states(keys));
      }

      private Map<String, Object> answered(Map<String, Object> answer) {
        metrics.request(ServerMetrics.DUBBO, 1);
        if (answer.get("code") instanceof String code) {
          metrics.refusal(ServerMetrics.DUBBO, code);
        }
        return answer;
      }
    };
  }

  /** Half messages of TrustMessage's callers over Dubbo, counted. */
  HalfMessages counted(HalfMessages half) {
    return new HalfMessages() {
      @Override
      public List<HalfAnswer> callAll(List<HalfCall> calls) {
        return dubbo(() -> half.callAll(calls));
      }

      @Override
      public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
        return dubbo(() -> half.states(keys));
      }
    };
  }

  private <T> T dubbo(Supplier<T> work) {
    metrics.request(ServerMetrics.DUBBO, 1);
    try {
      return work.get();
    } catch (InvalidMessageException e) {
      metrics.refusal(ServerMetrics.DUBBO, HalfMessageService.INVALID);
      throw e;
    } catch (StoreException e) {
      metrics.refusal(ServerMetrics.DUBBO, HalfMessageService.STORE_FAILED);
      throw e;
    } catch (RpcException e) {
      metrics.refusal(ServerMetrics.DUBBO, HalfMessageService.TOO_MANY);
      throw e;
    }
  }
}
