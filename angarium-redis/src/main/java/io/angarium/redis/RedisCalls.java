package io.angarium.redis;

import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs scripts on one connection, which threads share. Waits for no answer longer than configured,
 * and no shorter when the thread is interrupted: it must not stay unknown what took effect.
 * Thread-safe.
 */
final class RedisCalls implements AutoCloseable {
  private final StatefulRedisConnection<String, String> connection;
  private final Duration timeout;
  private final TimeSource time;
  private final Map<Script, String> digests = new EnumMap<>(Script.class);

  RedisCalls(
      StatefulRedisConnection<String, String> connection, Duration timeout, TimeSource time) {
    this.connection = connection;
    this.timeout = timeout;
    this.time = time;
    for (Script script : Script.values()) {
      digests.put(script, connection.async().digest(script.text()));
    }
  }

  /** A script that has been sent, by its digest. */
  record Call(
      Script script,
      List<String> keys,
      List<String> arguments,
      RedisFuture<List<Object>> sent,
      long sentNanos) {}

  /**
   * Runs a script and waits for its answer.
   *
   * @throws RedisException if it failed or there is no answer in time
   */
  List<Object> run(Script script, List<String> keys, String... arguments) {
    return answer(start(script, keys, arguments));
  }

  /** Sends a script. */
  Call start(Script script, List<String> keys, String... arguments) {
    String digest = String.valueOf(digests.get(script));
    long now = time.nanoTime();
    return new Call(
        script,
        keys,
        List.of(arguments),
        connection.async().evalsha(digest, ScriptOutputType.MULTI, array(keys), arguments),
        now);
  }

  /**
   * Waits for the answer of a script. Sends it again, with its text, to a Redis that does not know
   * the digest, and once if the connection broke.
   */
  List<Object> answer(Call call) {
    try {
      return await(call.sent(), call.sentNanos());
    } catch (RedisNoScriptException e) {
      return again(call);
    } catch (RedisCommandExecutionException | RedisCommandTimeoutException e) {
      throw e;
    } catch (RedisException e) {
      return again(call);
    }
  }

  private List<Object> again(Call call) {
    RedisFuture<List<Object>> sent =
        connection
            .async()
            .eval(
                call.script().text(),
                ScriptOutputType.MULTI,
                array(call.keys()),
                array(call.arguments()));
    return await(sent, call.sentNanos());
  }

  private static String[] array(List<String> texts) {
    return texts.toArray(String[]::new);
  }

  /** What Redis says of itself. */
  String information() {
    return await(connection.async().info(), time.nanoTime());
  }

  private <T> T await(RedisFuture<T> future, long sentNanos) {
    long deadline = sentNanos + timeout.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(deadline - time.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (TimeoutException e) {
      future.cancel(true); // or it would be sent when the connection is there again
      throw new RedisCommandTimeoutException("no answer within " + DurationText.of(timeout));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RedisException known ? known : new RedisException(e.getCause());
    } catch (CancellationException e) {
      throw new RedisException("the connection is closed", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
