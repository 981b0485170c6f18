package io.angarium.grpc;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Channels to producers, up to so many: one more closes the one that was not used for longest, and
 * lets its calls end. Thread-safe.
 */
final class Channels {
  private final int channelsMax;
  private final Function<CheckBackAddress, ManagedChannel> open;
  private final ReentrantLock lock = new ReentrantLock();

  /** By their last use. */
  private final Map<CheckBackAddress, ManagedChannel> channels =
      new LinkedHashMap<>(16, 0.75f, true);

  private boolean closed;

  Channels(int channelsMax, Function<CheckBackAddress, ManagedChannel> open) {
    this.channelsMax = channelsMax;
    this.open = open;
  }

  /**
   * Starts a call on the channel to an address.
   *
   * @param call must not wait for anything: the channel is kept from being closed meanwhile
   * @return false if all is closed
   */
  boolean call(CheckBackAddress address, Consumer<Channel> call) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      ManagedChannel channel = channels.get(address);
      if (channel == null) {
        makeRoom();
        channel = open.apply(address);
        channels.put(address, channel);
      }
      call.accept(channel);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom() {
    if (channels.size() >= channelsMax) {
      Iterator<ManagedChannel> eldest = channels.values().iterator();
      eldest.next().shutdown();
      eldest.remove();
    }
  }

  /** Closes all and breaks their calls off. */
  void close() {
    List<ManagedChannel> open;
    lock.lock();
    try {
      closed = true;
      open = new ArrayList<>(channels.values());
      channels.clear();
    } finally {
      lock.unlock();
    }
    open.forEach(ManagedChannel::shutdownNow);
  }
}
