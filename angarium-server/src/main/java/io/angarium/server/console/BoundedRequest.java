package io.angarium.server.console;

import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.problem.ProblemException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * A request whose body is read within the bounds of all bodies, as soon as somebody asks for it.
 * Not thread-safe: one thread at a time.
 */
final class BoundedRequest extends HttpServletRequestWrapper {

  private final RequestBodies bodies;
  private final int bytesMax;

  BoundedRequest(HttpServletRequest request, RequestBodies bodies, int bytesMax) {
    super(request);
    this.bytesMax = bytesMax;
    this.bodies = bodies;
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    try {
      return bodies.with((HttpServletRequest) getRequest(), bytesMax, ReadBody::new);
    } catch (ProblemException e) {
      throw CallerAccess.refused(e);
    }
  }

  /** A body that is in memory. Not thread-safe. */
  private static final class ReadBody extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    ReadBody(byte[] body) {
      this.bytes = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return bytes.read(into, from, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body is there already");
    }
  }
}
