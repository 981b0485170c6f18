package io.angarium.spring.half;

import io.angarium.Message;
import io.angarium.PayloadException;
import io.angarium.TypedPayloads;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.Marker;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.spring.AsyncWork;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A method that is called in a local transaction with its half message around it. Thread-safe.
 *
 * @param name of the method, for messages
 * @param object whether the payload is declared as neither bytes nor text
 * @param typed makes messages of objects; gives null where nothing does
 */
record MessageMethod(
    String name,
    String business,
    String destination,
    ArgumentExpression key,
    ArgumentExpression payload,
    boolean object,
    @Nullable ArgumentExpression messageKey,
    Supplier<TransactionalMessages<?>> messages,
    Supplier<@Nullable TypedPayloads> typed) {
  static final String TYPED =
      "bytes, text, or an object for a bean of TypedPayloads, which Jackson or a PayloadCodec in"
          + " the application gives";

  /** Calls it. */
  @Nullable Object call(MethodInvocation invocation) throws Exception {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          "@TransactionalMessage at "
              + name
              + " was not called and nothing was prepared: another transaction is open in this"
              + " thread, and whether that one commits cannot be told; call it outside of"
              + " @Transactional");
    }
    return send(messages.get(), message(invocation.getArguments()), invocation);
  }

  /**
   * Rolls back what goes on after the transaction, where the method did not declare that it does.
   */
  private Optional<Object> done(Optional<Object> returned) {
    returned.ifPresent(
        value -> {
          if (AsyncWork.isLate(value)) {
            throw new IllegalStateException(
                "@TransactionalMessage at "
                    + name
                    + " was rolled back: it returned a "
                    + value.getClass().getName()
                    + " (expected: that its work is done when it returns)");
          }
        });
    return returned;
  }

  private <C> @Nullable Object send(
      TransactionalMessages<C> messages, HalfMessage message, MethodInvocation invocation)
      throws Exception {
    Optional<Object> result = messages.send(message, transaction -> done(proceed(invocation)));
    return result.orElse(null);
  }

  private static Optional<Object> proceed(MethodInvocation invocation) throws Exception {
    try {
      return Optional.ofNullable(invocation.proceed());
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Neither an exception nor an error: " + e, e);
    }
  }

  private HalfMessage message(@Nullable Object[] arguments) {
    String half = key.text(arguments);
    if (half == null) {
      throw key.failed("is null", "a value");
    }
    Message message = message(payload.of(arguments));
    return HalfMessage.of(
        halfKey(half), messageKey == null ? message : message.key(messageKey.text(arguments)));
  }

  private HalfKey halfKey(String half) {
    try {
      return new HalfKey(business, half);
    } catch (IllegalArgumentException e) {
      throw key.failed("is no key", "1.." + Marker.KEY_LENGTH_MAX + " characters", e);
    }
  }

  private Message message(@Nullable Object given) {
    if (given == null) {
      throw payload.failed("is null", "bytes, text or an object");
    }
    if (given instanceof byte[] bytes) {
      return Message.of(destination, bytes);
    }
    if (given instanceof CharSequence text) {
      return Message.of(destination, text.toString());
    }
    TypedPayloads types = typed.get();
    if (types == null) {
      throw payload.failed("is a " + given.getClass().getName(), TYPED);
    }
    try {
      return types.toMessage(destination, given);
    } catch (PayloadException e) {
      throw payload.failed("cannot be written", TYPED, e);
    }
  }
}
