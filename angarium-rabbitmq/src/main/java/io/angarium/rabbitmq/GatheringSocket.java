package io.angarium.rabbitmq;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A socket that can hold back what is written to it. The client flushes after each message, and a
 * write to the network for each took as long as half of all else that is done for one. Thread-safe.
 */
final class GatheringSocket extends Socket {
  private static final int HELD_BYTES_MAX = 64 << 10;

  private @Nullable Output output;

  @Override
  public OutputStream getOutputStream() throws IOException {
    return output();
  }

  private synchronized Output output() throws IOException {
    Output made = output;
    if (made == null) {
      made = new Output(super.getOutputStream());
      output = made;
    }
    return made;
  }

  /** Holds back what any thread writes from now on, in its order, as far as there is room. */
  void gather() throws IOException {
    output().gather();
  }

  /** Writes what was held back, and all that follows at once. Blocks while the network is full. */
  void release() throws IOException {
    output().release();
  }

  /** How much the network has taken so far. */
  long writtenBytes() throws IOException {
    return output().writtenBytes;
  }

  private static final class Output extends OutputStream {
    private final OutputStream network;
    private final byte[] held = new byte[HELD_BYTES_MAX];
    private int heldBytes;
    private boolean gathering;

    /** Changed by who writes; others only look whether it grows. */
    private volatile long writtenBytes;

    Output(OutputStream network) {
      this.network = network;
    }

    @Override
    public void write(int oneByte) throws IOException {
      write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
      if (!gathering || length > held.length - heldBytes) {
        writeHeld();
      }
      if (!gathering || length > held.length) {
        writeThrough(bytes, offset, length);
      } else {
        System.arraycopy(bytes, offset, held, heldBytes, length);
        heldBytes += length;
      }
    }

    /** Does nothing: what is not held back is written already. */
    @Override
    public void flush() {}

    private synchronized void gather() {
      gathering = true;
    }

    private synchronized void release() throws IOException {
      gathering = false;
      writeHeld();
    }

    private void writeHeld() throws IOException {
      int bytes = heldBytes;
      heldBytes = 0;
      if (bytes > 0) {
        writeThrough(held, 0, bytes);
      }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the lock is held
    private void writeThrough(byte[] bytes, int offset, int length) throws IOException {
      network.write(bytes, offset, length);
      writtenBytes += length;
    }
  }
}
