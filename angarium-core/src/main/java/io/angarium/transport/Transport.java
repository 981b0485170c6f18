package io.angarium.transport;

import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Sends to one broker. Implemented once per kind of broker; methods get added as default methods
 * and to the contract suite {@code TransportTck} of the test kit first. Thread-safe, though the
 * relay calls {@link #send} from one thread.
 */
public interface Transport extends AutoCloseable {
  /** The name used in destinations, e.g. {@code kafka}: lower case letters, digits, dashes. */
  String name();

  /**
   * Whether messages of one key may be in flight together, see {@link KeyOrder}. Asked once at the
   * start.
   */
  KeyOrder keyOrder();

  /**
   * Returns what is wrong with the form of an address: the value, what is expected, and what to do.
   * Makes no request and does not block; any thread may call it. It does not check whether an
   * address of that form exists or is allowed: only the delivery shows that, and it may change. A
   * transport without a form of its own need not implement it.
   *
   * @param address of a {@link io.angarium.Destination}
   * @return empty if messages may go there
   */
  default Optional<String> addressFault(String address) {
    return Optional.empty();
  }

  /**
   * Hands messages over in their order and returns without waiting for acknowledgements. Calls
   * {@code results} exactly once for each message, from any thread, perhaps before it returns,
   * perhaps while a later call is under way. Never throws; may block only as long as {@link
   * #blockingMax}.
   *
   * <p>The caller takes results in between two calls: before each it knows every result given until
   * the one before returned, perhaps not those given since. After a failure it hands over nothing
   * more of that key until the results of all its messages are in; then again from the first that
   * failed, in their old order. {@link KeyOrder#PIPELINED} may rely on that. Of a {@linkplain
   * KeyOrder#CHAINED chained} transport it takes in the result of a message before it hands over
   * the next of its key.
   *
   * <p>All messages with a key come from one caller. Several relays share a transport by a
   * {@linkplain #of view} each. Others may hand over messages without a key at any time, as
   * receipts are.
   */
  void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results);

  /**
   * A view of this transport for one caller of {@link #send} with keys; each call returns another
   * one. All views share connections and limits. A transport that remembers failures between two
   * calls remembers them for each view: the call of one caller says nothing of what another has
   * seen. The default returns this transport, which is right for {@link KeyOrder#CHAINED}. A
   * pipelined transport returns a {@link CallerView}; one that wraps another transport wraps its
   * view.
   *
   * @param caller names the relay
   */
  default Transport of(String caller) {
    return this;
  }

  /**
   * The longest time from {@link #send} to the last result. The relay's lease must outlast it, or
   * order could break when a partition moves.
   */
  Duration resultMax();

  /** The longest time {@link #send} may block its caller. */
  Duration blockingMax();

  /** Sends what is buffered and waits for results, at most {@code timeout}. */
  void flush(Duration timeout);

  /** Closes connections; results still missing are given as Failed. May be called twice. */
  @Override
  void close();
}
