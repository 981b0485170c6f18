package io.angarium.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * A real producer that gives up on the records of some topics, as it does when a partition has no
 * leader: something a single broker cannot be brought to.
 */
final class StuckTopicProducer implements InvocationHandler {
  private static final int GIVE_UP_MILLIS = 200;

  private final Producer<byte[], byte[]> real;
  private final Predicate<String> stuck;
  private final Predicate<String> silent;

  private StuckTopicProducer(
      Producer<byte[], byte[]> real, Predicate<String> stuck, Predicate<String> silent) {
    this.real = real;
    this.stuck = stuck;
    this.silent = silent;
  }

  /**
   * A proxy, because the interface differs from one version of the client to the next.
   *
   * @param stuck topics whose records time out
   * @param silent topics whose records get no answer at all
   */
  @SuppressWarnings("unchecked")
  static Producer<byte[], byte[]> of(
      Producer<byte[], byte[]> real, Predicate<String> stuck, Predicate<String> silent) {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            new StuckTopicProducer(real, stuck, silent));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    if (method.getName().equals("send") && args[0] instanceof ProducerRecord<?, ?> record) {
      if (stuck.test(record.topic())) {
        return giveUpLater((Callback) args[1]);
      } else if (silent.test(record.topic())) {
        return new CompletableFuture<>();
      }
    }
    try {
      return method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static CompletableFuture<?> giveUpLater(Callback callback) {
    return CompletableFuture.runAsync(
        () -> callback.onCompletion(null, new TimeoutException("partition without leader")),
        CompletableFuture.delayedExecutor(GIVE_UP_MILLIS, TimeUnit.MILLISECONDS));
  }
}
