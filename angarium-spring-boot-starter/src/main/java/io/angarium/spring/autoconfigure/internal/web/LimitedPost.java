package io.angarium.spring.autoconfigure.internal.web;

import java.io.IOException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** A path at which the application takes requests with a body of so many bytes at most. */
record LimitedPost(int bytesMax, Answering answering) {
  private static final int TOO_LARGE = 413;

  /** What answers a request with this body. */
  @FunctionalInterface
  interface Answering {
    ServerResponse answer(ServerRequest request, byte[] body);
  }

  RouterFunction<ServerResponse> at(String path) {
    return RouterFunctions.route().POST(path, this::answer).build();
  }

  private ServerResponse answer(ServerRequest request) throws IOException {
    byte[] body = request.servletRequest().getInputStream().readNBytes(bytesMax + 1);
    return body.length > bytesMax
        ? ServerResponse.status(TOO_LARGE).build()
        : answering.answer(request, body);
  }
}
