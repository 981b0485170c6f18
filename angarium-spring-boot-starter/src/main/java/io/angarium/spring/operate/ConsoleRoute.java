package io.angarium.spring.operate;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The path of the console, with whatever is below it and every method. */
public final class ConsoleRoute {
  private ConsoleRoute() {}

  /** Answers the requests for the console. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Answers a request.
     *
     * @param below the path below the console's own, without a slash at its begin
     */
    void handle(HttpServletRequest request, HttpServletResponse response, String below)
        throws IOException;
  }

  /**
   * Serves a console.
   *
   * @param path below the application's own, without a slash at its end
   */
  public static RouterFunction<ServerResponse> of(String path, Handler handler) {
    return RouterFunctions.route(
        RequestPredicates.path(path).or(RequestPredicates.path(path + "/**")),
        request -> answer(request, path, handler));
  }

  private static ServerResponse answer(ServerRequest request, String path, Handler handler) {
    String asked = request.requestPath().pathWithinApplication().value();
    if (asked.equals(path)) { // addresses on the page are relative to the slash
      String last = path.substring(path.lastIndexOf('/') + 1);
      return ServerResponse.permanentRedirect(URI.create(last + "/")).build();
    }
    String below = asked.substring(Math.min(asked.length(), path.length() + 1));
    return ServerResponse.ok()
        .build(
            (servletRequest, servletResponse) -> {
              handler.handle(servletRequest, servletResponse, below);
              return null;
            });
  }
}
