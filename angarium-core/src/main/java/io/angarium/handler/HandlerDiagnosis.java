package io.angarium.handler;

import io.angarium.StoreException;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.util.Collection;
import java.util.TreeSet;

/**
 * Judges attempts that did not succeed: whether the message is to blame, which must use up its
 * attempts or it would hold up the others for ever, or the database or the handler as a whole,
 * which must not turn messages into dead letters.
 *
 * @param handler its name
 */
record HandlerDiagnosis(String handler) {
  /** The transport takes nothing any more. */
  static final SendResult CLOSED = new Unavailable("the handler transport is closed", null);

  /** It was closed before the turn of the message came. */
  static final SendResult CLOSED_BEFORE =
      new Failed("the handler transport was closed before its handler was called", null);

  /** It was closed and did not wait for the end of the handler. */
  static final SendResult CLOSED_MEANWHILE =
      new Failed("the handler transport was closed while its handler ran", null);

  /** What is expected of a name, in words. */
  static final String NAME_FORM =
      "a name of 1.." + OutboxHandler.NAME_LENGTH_MAX + " of a-z, 0-9, '-', '.'";

  private static final int TEXT_MAX = 500;

  /** No handler can have that name. */
  static String noName(String address) {
    return "'"
        + address
        + "' cannot be the name of a handler (expected: "
        + NAME_FORM
        + "); correct the destination and send it anew";
  }

  /** No handler of that name is here, but perhaps in another process on the same outbox. */
  static Failed unknown(String address, Collection<String> names) {
    return new Failed(
        "this application has no handler '"
            + address
            + "' (it has "
            + new TreeSet<>(names)
            + "); add it, or correct the destination. Perhaps another node has it",
        null);
  }

  /**
   * What it means that the inbox threw.
   *
   * <p>Another delivery of the message that is open counts as a failure of this message alone:
   * Unavailable would hold up all others of the handler. The attempt is a fair price, for if that
   * other delivery hangs for ever, a person must hear of it.
   *
   * <p>A database that fails before the handler was called is away. One that fails afterwards, at
   * the commit, may be away or may refuse what the handler wrote, a deferred constraint for
   * example: that costs an attempt, for else such a message would come again for ever.
   */
  SendResult of(Run<?> run, Throwable thrown) {
    Throwable ofHandler = run.thrown();
    if (ofHandler instanceof RefusedByHandlerException refused) {
      return new Refused(of("refused the message: ", text(refused)), refused);
    }
    if (ofHandler != null) {
      return new Failed(of("failed: ", named(ofHandler)), ofHandler);
    }
    if (run.begun()) {
      return new Failed(of("has run, but its transaction did not commit: ", text(thrown)), thrown);
    }
    if (thrown instanceof ConcurrentDeliveryException) {
      return new Failed(of("was not called: ", text(thrown)), thrown);
    }
    String reason = of("was not called, as its inbox failed: ", text(thrown));
    return thrown instanceof StoreException
        ? new Unavailable(reason, thrown)
        : new Failed(reason, thrown);
  }

  /** An earlier attempt of the message has not ended, though it counts as failed. */
  SendResult busy() {
    return new Failed(of("is still busy with an earlier attempt of the message", ""), null);
  }

  /** It takes too long. */
  SendResult tooSlow(HandlerConfig config) {
    return new Failed(
        of(
            "has not ended after ",
            DurationText.of(config.timeout()) + "; its thread is bound until it ends"),
        null);
  }

  /** Too many wait already. */
  SendResult full(HandlerConfig config) {
    return new Unavailable(
        of("takes messages more slowly than they come: ", config.waiting() + " wait for it"), null);
  }

  /** No thread came free in time. */
  SendResult tooLate(HandlerConfig config) {
    return new Unavailable(
        of("had no thread free for ", DurationText.of(config.hold()) + "; it is slow, or hangs"),
        null);
  }

  /** The machine gives no thread. */
  SendResult noThread(Throwable cause) {
    return new Unavailable(of("got no thread: ", text(cause)), cause);
  }

  private String of(String what, String detail) {
    return "handler " + handler + " " + what + detail;
  }

  private static String named(Throwable thrown) {
    String name = thrown.getClass().getSimpleName();
    return thrown.getMessage() == null ? name : name + ": " + text(thrown);
  }

  /** A message of an exception as one line of limited length; its name if it has none. */
  private static String text(Throwable thrown) {
    String message = thrown.getMessage();
    String text = message == null ? thrown.getClass().getSimpleName() : message;
    String cut = text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
    return cut.replaceAll("\\p{Cntrl}+", " ").strip();
  }
}
