package io.angarium.server;

import io.angarium.TimeSource;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/**
 * Reads what is left of a body after its answer, so that the client can read that, but neither much
 * nor slowly: then the connection ends. Tomcat would read on for as long as bytes trickle.
 * Thread-safe.
 */
final class UnreadBodies extends ValveBase {
  private static final int BYTES_MAX = 2 << 20;
  private static final int PIECE_BYTES = 8_192;

  private final TimeSource time;

  UnreadBodies(TimeSource time) {
    super(true);
    this.time = time;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
    if (request.isAsync() || request.getCoyoteRequest().hasExpectation()) {
      return; // of what is expected nothing was sent
    }
    boolean slow = response.getStatus() == 408;
    if (slow || !isReadToItsEnd(request, response)) {
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

  private boolean isReadToItsEnd(Request request, Response response) {
    try {
      InputStream rest = request.getInputStream();
      if (request.getInputStream().isFinished()) {
        return true;
      }
      response.finishResponse();
      return isReadToItsEnd(rest);
    } catch (IOException | IllegalStateException e) {
      return false; // the client has gone, or sends no body of HTTP
    }
  }

  private boolean isReadToItsEnd(InputStream rest) throws IOException {
    Pace pace = new Pace(time);
    byte[] piece = new byte[PIECE_BYTES];
    for (int bytes = 0; bytes < BYTES_MAX && !pace.isTooSlow(); ) {
      int read = rest.read(piece);
      if (read < 0) {
        return true;
      }
      bytes += read;
      pace.add(read);
    }
    return false;
  }
}
