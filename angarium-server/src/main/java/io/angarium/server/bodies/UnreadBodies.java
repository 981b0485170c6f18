package io.angarium.server.bodies;

import io.angarium.TimeSource;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Reads what is left of a body after its answer, so that the client can read that, but neither much
 * nor slowly nor for long, nor for many clients at a time: then the connection ends. Tomcat would
 * read on for as long as bytes trickle, on a thread that others need. Thread-safe.
 */
public final class UnreadBodies extends ValveBase {
  private static final int BYTES_MAX = 2 << 20;
  private static final Duration TIME_MAX = Duration.ofSeconds(10);

  /** Maximum threads that read such bodies at a time; Tomcat has 200 threads by default. */
  private static final int AT_A_TIME_MAX = 50;

  private final Semaphore places = new Semaphore(AT_A_TIME_MAX);

  private final TimeSource time;

  public UnreadBodies(TimeSource time) {
    super(true);
    this.time = time;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    BodyRead read = new BodyRead(time);
    read.noteIn(request.getCoyoteRequest());
    request.setAttribute(BodyRead.ATTRIBUTE, read);
    getNext().invoke(request, response);
    boolean taken = response.getStatus() / 100 == 2;
    if (request.isAsync() || (request.getCoyoteRequest().hasExpectation() && !taken)) {
      return; // a body that was not asked for is not sent, and Tomcat ends the connection
    }
    boolean slow = response.getStatus() == 408;
    if (slow || !isReadToItsEnd(request, response, read)) {
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

  private boolean isReadToItsEnd(Request request, Response response, BodyRead read) {
    try {
      if (request.getInputStream().isFinished()) {
        return true;
      }
      response.finishResponse(); // which closes that stream
      if (!places.tryAcquire()) {
        return false;
      }
      try {
        return isReadToItsEnd(request.getCoyoteRequest(), read);
      } finally {
        places.release();
      }
    } catch (IOException | IllegalStateException e) {
      return false; // the client has gone, or sends no body of HTTP
    }
  }

  private boolean isReadToItsEnd(org.apache.coyote.Request rest, BodyRead waiting)
      throws IOException {
    Pace pace = new Pace(time);
    Piece piece = new Piece();
    long endNanos = time.nanoTime() + TIME_MAX.toNanos();
    for (int bytes = 0;
        bytes < BYTES_MAX && !pace.isTooSlow() && time.nanoTime() - endNanos < 0; ) {
      int read = waiting.during(() -> rest.doRead(piece));
      if (read < 0) {
        return true;
      }
      bytes += read;
      pace.add(read);
    }
    return false;
  }

  /** Takes what was read, and forgets it with the next piece. One thread at a time. */
  private static final class Piece implements ApplicationBufferHandler {
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    @Override
    public void setByteBuffer(ByteBuffer read) {
      buffer = read;
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return buffer;
    }

    @Override
    public void expand(int size) {
      // what was read lies in a buffer of the connection
    }
  }
}
